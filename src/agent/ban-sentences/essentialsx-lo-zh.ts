/** What EssentialsX writes of bans, kicks and mutes, by language: see `sentence.ts` for the form. */
export const essentialsxLoToZh: Readonly<Record<string, string>> = {
  lol_US: `
mute %b haz mutd Playr %p fr %t.
mute %b haz mutd Playr %p fR %t. reeson: %r
mute %b haz MUTd PLAYr%p. reeson: %r`,
  lt: `
mute %b Užtildė %p.
mute %b Nutildė žaidėją %p už %t. Priežastis: %r
mute %b Užtildė žaidėją %p. Priežastis: %r
ip_ban Žaidėjo %b IP adresas laikinai užblokuotas %a už %t: %r.
ban %b užbanino %p už %r.
kick Žaidėjas %b išmestas %p už %r.
unban Žaidėjas %b atblokuotas IP: %a
unban Žaidėjas %b atblokuotas %p`,
  lv_LV: `
mute %b apklusināja spēlētāju %p.
mute %b apklusināja spēlētāju %p uz %t.
mute %b apklusināja spēlētāju %p uz %t. Iemesls: %r
mute %b apklusināja spēlētāju %p. Iemesls: %r
ip_ban Spēlētājs %b izraidīja IP adresi %a par: %r.
ip_ban Spēlētāja %b uz laiku izraidītā IP adrese %a par %t: %r.
ban Spēlētājs %b izraidīja %p par: %r.
kick Spēlētājs %b izmeta %p par %r.
tempban Spēlētājs %b uz laiku izraidīts %p par %t: %r.
unban Spēlētājs %b noņēma aizliegumu IP: %a
unban Spēlētājs %b noņēma aizliegumu %p`,
  nl: `
mute %b heeft %p gedempt.
mute %b heeft speler %p gedempt voor %t.
mute %b heeft speler %p gedempt voor %t. Reden: %r
mute %b heeft speler %p gedempt. Voor reden: %r
ip_ban Speler %b heeft IP %a verbannen voor: %r.
ip_ban Speler %b heeft het IP-adres %a tijdelijk verbannen voor %t: %r.
kick Speler %b schopt %p van de server voor %r.
tempban Speler %b verbande %p tijdelijk voor %t. Reden: %r.
unban Speler %b verwijderde IPban op IP: %a
unban Speler %b verwijderde ban van %p`,
  no: `
mute %b har dempet spiller %p.
mute %b har dempet spiller %p for %t.
mute %b har dempet spiller %p for %t. Årsak: %r
mute %b har dempet spiller %p. Årsak: %r
ip_ban Spiller %b utestengte IP-addressen %a for: %r.
ip_ban Spiller %b utestengte IP-adressen %a midlertidig i %t: %r.
ban Spiller %b utestengte %p for: %r.
kick Spiller %b sparket %p for %r.
tempban Spiller %b utestengte %p midlertidig i %t: %r.
unban Spiller %b opphevet utestengelsen av IP: %a
unban Spiller %b opphevet utestengelsen av %p`,
  pl: `
mute %b wyciszył %p.
mute %b wyciszył gracza %p na %t.
mute Gracz %b wyciszył gracza %p na %t. Powód: %r
mute Gracz %b wyciszył gracza %p. Powód: %r
ip_ban Gracz %b zbanował adres IP %a za: %r.
ip_ban Gracz %b tymczasowo zbanował adres IP %a na %t, powód: %r.
ban %b zbanował %p za %r.
kick Gracz %b wyrzucił gracza %p za %r.
tempban Gracz %b tymczasowo zbanował %p na %t: %r.
unban Gracz %b odbanował IP: %a
unban Gracz %b odbanował gracza %p`,
  pt: `
mute %b silenciou %p.
mute %b silenciou %p por %t.
mute %b silenciou %p por %t. Motivo: %r
mute %b . silenciou %p. Motivo: %r
ip_ban %b baniu o endereço IP %a por: %r.
ip_ban %b baniu temporariamente o endereço IP %a por %t: %r.
ban %b baniu %p por %r.
kick %b foi expulso %p por %r.
tempban %b baniu temporariamente %p por %t: %r.
unban %b readmitiu o IP: %a
unban %b readmitiu %p`,
  pt_BR: `
mute %b silenciou o jogador %p.
mute %b silenciou o jogador %p por %t.
mute %b silenciou o jogador %p por %t. Motivo: %r
mute %b silenciou o jogador %p. Motivo: %r
ip_ban Jogador %b baniu endereço IP %a por: %r.
ip_ban O jogador %b temporariamente baniu o endereço IP %a por %t: %r.
ban O Jogador %b baniu %p por %r.
kick Jogador %b expulso %p por %r.
tempban Jogador %b baniu temporariamente %p por %t: %r.
unban O jogador %b desbaniu o IP: %a
unban O jogador %b desbaniu %p`,
  ro: `
mute %b l-a adus la tacere pe %p.
mute %b l-a amutit pe %p pentru %t. Motiv: %r
mute %b l-a amutit pe %p. Motiv: %r
kick Adminul %b l-a dat afara pe %p pentru: %r.
unban Adminul %b i-a scos interzicerea IPului: %a.
unban Adminul %b i-a scos interzicerea lui %p.`,
  ru: `
mute %b заглушил игрока %p.
mute %b заглушил игрока %p на %t.
mute %b заглушил игрока %p на %t. Причина: %r
mute %b заглушил игрока %p. Причина: %r
ip_ban %b забанил IP-адрес %a за: %r.
ip_ban %b временно забанил IP-адрес %a на %t: %r.
ban %b забанил %p за %r.
kick %b выкинул с сервера %p за %r.
tempban Игрок %b временно забанил %p на %t: %r.
unban %b разбанил IP-адрес %a
unban %b разбанил %p`,
  sk: `
mute %b umlčal hráča %p.
mute %b umlčal hráča %p na %t.
mute %b umlčal hráča %p na %t. Dôvod: %r
mute %b umlčal hráča %p. Dôvod: %r
ip_ban Hráč %b udelil ban IP adrese %a za: %r.
ip_ban Hráč %b udelil dočasný ban adrese %a na %t: %r.
ban Hráč %b udelil ban hráčovi %p za: %r.
kick Hráč %b vyhodil hráča %p za %r.
tempban Hráč %b udelil dočasný ban hráčovi %p na %t: %r.
unban Hráč %b zrušil ban IP adrese %a
unban Hráč %b zrušil ban hráčovi %p`,
  sr_CS: `
mute %b je ucutkao igraca %p.
mute %b je ućutkao igrača %p za %t.
ip_ban Igrac %b je banovao IP adresu igraca %a za: %r.
ban Korisnik %b je banovao %p zbog: %r.
tempban Igrač %b je privremeno banovao %p na %t: %r.`,
  sv: `
mute %b har tystat %p.
mute %b har tystat %p i %t. Anledning: %r
mute %b har tystat %p. Anledning: %r
ip_ban %b bannlyste tillfälligt IP-adressen %a för %t: %r.
ban Spelare %b bannade %p för %r.
kick %b sparkade ut %p med anledningen: %r.
unban %b upphävde bannlysningen för IP-adressen: %a
unban %b upphävde bannlysningen för %p`,
  th: `
mute %b ได้ทำการใบ้ผู้เล่น %p.
ip_ban ผู้เล่น %b ได้แบน IP address %a สำหรับ: %r.
ban ผู้เล่น %b ได้แบน %p สำหรับ: %r.
kick ผู้เล่น %b ได้ถูกแตะออก %p สำหรับ %r.
unban ผู้เล่น %b ได้ปลดแบน IP: %a.
unban ผู้เล่น %b ได้ปลด %p.`,
  tr: `
mute %b adlı oyuncu %p adlı oyuncuyu susturdu.
mute %b adlı kişi %p adlı kişiyi susturdu. Sebep: %t.
mute %b isimli kişi, %p isimli kişiyi %t süresince susturdu. Sebep: %r
mute %b isimli kişi %p kişisini susturdu. Sebep: %r
ip_ban %b %a IP adresini %r süresince uzaklaştırdı.
ip_ban %b oyuncusu %a IP adresini %t: %r süreliğine geçici olarak banladı.
ban %b adlı oyuncu, %p adlı oyuncuyu %r süresince uzaklaştırdı.
kick Oyuncu %b sunucudan %p süresince %r sebebiyle atıldı.
tempban Oyuncu %b geçici olarak %t : %r süresince uzaklaştırıldı %p .
unban %b oyuncusu %a IP adresinin uzaklaştırmasını kaldırdı.
unban Oyuncu, %b, %p isimli oyuncunun uzaklaştırılmasını kaldırdı.`,
  uk: `
mute %b утихомирив %p.
mute %b Є заткнутий гравцем %p на %t.
mute %b Є заткнутий гравцем %p на %t. Причина: %r
mute %b Є заткнутий гравцем %p. Причина: %r
ip_ban Гравець %b забанив IP адрес %a через: %r.
ip_ban Гравець %b тимчасово заблокував IP-адресу %a на %t: %r.
ban Гравець %b забанив %p за: %r.
kick Гравець %b кікнутий %p на %r.
tempban Гравець %b тимчасово заблокований %p до %t: %r.
unban Гравець %b позбавив бану IP: %a
unban Гравець %b позбавив бану %p`,
  vi: `
mute %b đã cấm %p nói chuyện.
mute %b đã cấm %p nói chuyện trong %t.
mute %b đã làm cho người chơi %p câm trong %t. Lí do: %r
mute %b đã cấm người chơi %p trò chuyện. Lý do: %r
ip_ban Ngưởi chơi %b đã khóa địa chỉ %a vì: %r.
ban Người chơi %b đã cấm %p vì: %r.
kick Người chơi %b đã mời %p ra do %r.
tempban Người chơi %b đã tạm cấm %p trong %t: %r.
unban Người chơi %b đã mở khóa IP: %a
unban Người chơi %b đã mở khóa %p`,
  zh: `
mute %b禁言了%p。
mute %b禁言了%p，禁言时长：%t。
mute %b禁言了%p，禁言时长：%t。理由：%r
mute %b禁言了%p。理由：%r
ip_ban 操作员%b封禁了IP段%a，理由：%r。
ip_ban 操作员%b临时封禁了IP地址%a%t，理由：%r。
ban 操作员%b封禁了%p，理由：%r。
kick 操作员%b踢出了%p，原因：%r。
tempban 操作员%b临时封禁了%p %t，理由：%r.
unban 操作员%b解封了IP：%a
unban 操作员%b解封了%p`,
  zh_HK: `
mute %b 將 %p 禁言了。
mute %b 已將玩家 %p 禁言. 時長: %t. 原因: %r
mute 玩家 %p 被 %b 禁言. 原因: %r.
ban 玩家 %b 被封鎖 %p ，因為 %r。
kick 玩家 %p 被 %b 請出. 原因: %r.
unban 已解除玩家 %b 的封禁IP: %a.
unban 玩家 %p 被 %b 解除封禁.`,
  zh_TW: `
mute %b 將 %p 禁言。
mute 玩家 %p 被 %b 禁言 %t。
mute 玩家 %p 被 %b 禁言 %t。原因：%r
mute 玩家 %p 被 %b 禁言。原因：%r
ip_ban 玩家 %b 封禁 IP 位址 %a 。原因：%r。
ip_ban IP 位址 %a 暫時被 %b 封禁。時長：%t。原因：%r。
ban 玩家 %p 被 %b 封禁。原因：%r。
kick 玩家 %p 被 %b 踢出。原因：%r。
tempban 玩家 %p 暫時被 %b 封禁 %t。原因：%r。
unban 玩家 %b 已解除封禁 IP 位址：%a。
unban 玩家 %p 被 %b 解除封禁。`,
};
