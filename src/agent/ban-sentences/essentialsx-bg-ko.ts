/** What EssentialsX writes of bans, kicks and mutes, by language: see `sentence.ts` for the form. */
export const essentialsxBgToKo: Readonly<Record<string, string>> = {
  en: `
mute %b has muted player %p.
mute %b has muted player %p for %t.
mute %b has muted player %p for %t. Reason: %r
mute %b has muted player %p. Reason: %r
ip_ban Player %b banned IP address %a for: %r.
ip_ban Player %b temporarily banned IP address %a for %t: %r.
ban Player %b banned %p for: %r.
kick Player %b kicked %p for %r.
tempban Player %b temporarily banned %p for %t: %r.
unban Player %b unbanned IP: %a
unban Player %b unbanned %p`,
  bg: `
mute %b заглуши %p.
mute %b заглуши %p за %t.
mute %b заглуши играча %p за %t. Причина: %r
mute %b заглуши играча%p. Причина: %r
ip_ban Играчът %b ограничи IP адреса %a за: %r.
ban Играчът %b ограничи %p за: %r.
kick Играчът %b изгони %p за %r.
tempban Играчът %b беше временно баннат %p за %t: %r.
unban Играчът %b премахна ограничението на IP адрес: %a
unban Играчът %b премахна ограничението на %p`,
  bs: `
mute %b je mutovao igraca %p.
ip_ban Igrac %b je banovao IP Adresu %a za: %r.
ban Igrac %b je banovao %p , razlog: %r.`,
  cs: `
mute %b umlčel hráče %p.
mute %b umlčel hráče %p na %t.
mute %b umlčel hráče %p na %t. Důvod: %r
mute %b umlčel hráče %p. Důvod: %r
ip_ban Hráč %b zablokoval IP adresu %a za: %r.
ip_ban Hráč %b dočasně zablokoval IP adresu %a na %t: %r.
ban Hráč %b zablokoval hráče %p za: %r.
kick Hráč %b vyhodil hráče %p za %r.
tempban Hráč %b dočasně zablokoval hráče %p na %t: %r.
unban Hráč %b odblokoval IP adresu: %a
unban Hráč %b odblokoval hráče %p`,
  da: `
mute %b har gjort %p tavs.
mute %b har dæmpet spiller %p for %t. Grund: %r
mute %b har dæmpet spiller %p. Grund: %r
ban Spilleren %b blev bandlyst %p i %r.
kick Spiller %b smidt ud %p for %r.
unban Spiller %b fjernede IP udelukkelse: %a
unban Spiller %b fjernede udelukkelse %p`,
  de: `
mute %b hat Spieler %p stumm geschaltet.
mute %b hat den Spieler %p für %t stumm geschaltet.
mute %b hat Spieler %p für %t stummgeschaltet. Grund: %r
mute %b hat Spieler %p stummgeschaltet. Grund: %r
ip_ban Spieler %b hat die IP-Adresse %a für: %r gesperrt.
ip_ban Spieler %b sperrte IP-Adresse %a temporär für %t: %r.
ban Spieler %b hat %p wegen %r gebannt.
kick Spieler %b hat %p für %r gekickt.
tempban Spieler %b hat %p temporär für %t gesperrt: %r.
unban Spieler %b hat IP entsperrt: %a
unban Spieler %b hat %p entsperrt`,
  es: `
mute %b ha silenciado a %p.
mute %b ha silenciado a %p durante %t. Motivo: %r
mute %b ha silenciado a %p. Motivo: %r
ip_ban %b ha baneado la IP de %a por: %r.
ip_ban Jugador %b ha baneado temporalmente la dirección IP %a por %t: %r.
ban %b ha baneado a: %p por %r.
kick %b expulsado %p por %r.
tempban El jugador %b ha baneado temporalmente a %p por %t: %r.
unban La IP %a ha sido desbaneada por %b
unban %b ha desbaneado a %p`,
  et: `
mute Mängija %b vaigistas mängija %p.
mute Mängija %b vaigistas mängija %p %t.
mute Mängija %b vaigistas mängija %p %t. Põhjus: %r
mute Mängija %b vaigistas mängija %p. Põhjus: %r
ip_ban Mängija %b blokeeris IP-aadressi %a põhjusega %r.
ip_ban Mängija %b blokeeris ajutiselt IP-aadressi %a põhjusega %t: %r.
ban Mängija %b blokeeris mängija %p põhjusega %r.
kick Mängija %b viskas %p välja põhjusega %r.
tempban Mängija %b blokeeris ajutiselt mängija %p põhjusega %t: %r.
unban Mängija %b eemaldas IP %a blokeeringu
unban Mängija %b eemaldas mängija %p blokeeringu`,
  eu: `
mute %b -(e)k %p isildu du.`,
  fi: `
mute %b mykisti pelaajan %p.
mute %b mykisti pelaajan %p ajaksi %t.
mute %b mykisti pelaajan %p ajaksi %t. Syynä: %r
mute %b on mykistänyt pelaajan %p. Syynä: %r
ip_ban Pelaaja %b bannasi IP osoitteen %a syynä: %r.
ip_ban Pelaaja %b bannasi väliaikaisesti IP-osoitteen %a ajaksi %t syynä %r.
ban Pelaaja %b bannasi pelaajan %p syynä: %r.
kick Pelaaja %b potki pelaajan %p syynä %r.
tempban Pelaaja %b bannasi väliaikaisesti pelaajan %p ajaksi %t: %r.
unban Pelaaja %b poisti porttikiellon IP-osoitteelta: %a
unban Pelaaja %b poisti pelaajan %p porttikiellon`,
  fr: `
mute %b a réduit au silence le joueur %p.
mute %b a réduit au silence le joueur %p pendant %t.
mute %b a réduit au silence le joueur %p pendant %t. Raison : %r
mute %b a réduit au silence le joueur %p. Raison : %r
ip_ban Le joueur %b a banni l'adresse IP %a pour : %r.
ip_ban Le joueur %b a banni temporairement l'adresse IP %a pendant %t : %r.
ban Le joueur %b a banni %p pour : %r.
kick Le joueur %b a expulsé %p pour %r.
tempban Le joueur %b a banni temporairement %p pendant %t : %r.
unban Le joueur %b a débanni l'adresse IP : %a
unban Le joueur %b a débanni %p`,
  he: `
mute %b השתיק את %p.
ip_ban השחקן %b אסר את כתובת האייפי הבאה %a ל: %r.
ban השחקן %b אסר %p ל: %r.`,
  hu: `
mute %b lenémította %p-t.
mute %b lenémította %p-t ennyi időre: %t.
mute %b lenémította %p-t ennyi időre: %t. Oka: %r
mute %b lenémította %p játékost. Oka: %r
ip_ban %b IP címre tiltva %a : %r.
ip_ban %b ideiglenesen IP címre tiltva %a %t-ra/-re: %r.
ban %b kitiltotta %p-t ezért: %r.
kick %b kidobta %p-t ezért: %r.
tempban %b ideiglenesen kitiltva %p %t-ra/-re: %r.
unban %b feloldotta a következő IP cím tiltását: %a
unban %b feloldotta %p tiltását`,
  it: `
mute %b ha mutato il giocatore %p.
mute %b ha mutato il giocatore %p per %t.
mute %b ha mutato %p per %t. Motivo: %r
mute %b ha mutato %p. Motivo: %r
ip_ban Il giocatore %b ha bannato l'IP %a per: %r.
ip_ban Il giocatore %b ha bannato l'indirizzo IP %a per %t: %r.
ban Il giocatore %b ha bannato %p per %r.
kick Il giocatore %b ha disconnesso %p per %r.
tempban Il giocatore %b ha temporaneamente bannato %p per %t: %r.
unban Il giocatore %b ha sbannato l'indirizzo IP: %a
unban Il giocatore %b è stato sbannato %p`,
  ja: `
mute %p を %b が発言禁止にしました。
mute %b は %p を %t 間ミュートにしました。
mute %bは%tまで%pをミュートしました。理由: %r
mute %bは%pをミュートしました。理由: %r
ip_ban %b のIPアドレス %a を%rがBANしました。
ip_ban %b がIPアドレス %a を %t 間一時的にBANしました:%r。
ban %b は %p をBANしました。メッセージ:%r
kick %b が %p をキックさせました。 %r
tempban %bは%pを%tまで期限BANしました: %r
unban %bはIPBANを解除しました: %a
unban %bは%pのBANを解除しました`,
  ko: `
mute %b (이)가 %p(을)를 채금했습니다.
mute %b (이)가 %p(을)를 %t동안 채금했습니다.
mute %b (이)가 %p(을)를 %t동안 채금했습니다. 사유: %r
mute %b (이)가 %p(을)를 채금했습니다. 사유: %r
ip_ban 플레이어 %b (이)가 IP주소 %a (을)를 차단했습니다. 사유: %r
ip_ban 플레이어 %b 가 IP주소 %a (을)를 %t 동안 임시 차단했습니다. 사유:%r
ban 플레이어 %b 님이 %p 님을 벤하였습니다. 사유: %r.
kick 플레이어 %b (이)가 %p (을)를 강퇴했습니다. 사유: %r.
tempban 플레이어 %b (이)가 Ip주소 %p (을)를 %r 동안 임시 차단했습니다. 사유: %t
unban 플레이어 %b (이)가 IP: %a 의 차단을 해제했습니다.
unban 플레이어 %b (이)가 %p 의 차단을 해제했습니다.`,
};
