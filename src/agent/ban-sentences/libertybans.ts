/** What LibertyBans writes of bans, kicks and mutes, by language: see `sentence.ts` for the form. */
export const libertyBans: Readonly<Record<string, string>> = {
  de: `
ban %b hat %p wegen %r für %t gebannt.
mute %b hat %p wegen %r für %t gemuted.
kick %b hat %p wegen %r gekickt.
unban %b hat %p entbannt.`,
  es: `
ban %b baneo a %p durante %t por %r.
mute %b silencio a %p durante %t por %r.
kick %b expulso a %p debido a %r.
unban %b ha desbaneado a %p.`,
  fr: `
ban %b a bannie %p pendant %t pour %r.
mute %b a mute %p pendant %t pour %r.
kick %b a kick %p pour %r.
unban %b à révoquer le bannissement de %p.`,
  hu: `
ban %b kitíltotta %p -t %t ideig, %r okkal.
mute %b muted %p for %t because of %r.
kick %b kirúgta %p nevű játékost %r okkal.
unban %b leszedte a kitliltást a %p nevű játékosról.`,
  ja: `
ban %bは%pを%tの期間でBAN (アクセス禁止) しました。違反内容: %r
mute %bは%pを%tの期間でミュート (発言禁止) しました。違反内容: %r
kick %bは%pをキック (通信切断) しました。違反内容: %r
unban %bは%pへのBAN (アクセス禁止) は取り消しました。`,
  no: `
ban %b utestengte %p for %t på grunn av %r.
mute %b dempet %p for %t på grunn av %r.
kick %b kastet ut %p på grunn av %r.
unban %b Opphevet utestengelse for %p.`,
  pl: `
ban %b zbanował %p na okres %t z powodu %r.
mute %b wyciszył %p na okres %t z powodu %r.
kick %b wyrzucił %p z powodu %r.
unban %b odbanowował %p.`,
  ru: `
ban %b заблокировал %p на %t по причине %r.
mute %b заглушил %p на %t по причине %r.
kick %b кикнул %p по причине %r.
unban %b разбанил %p.`,
  tr: `
ban %b, %p kişisini %t süreliğine %r nedeniyle yasakladı.
mute %b, %p kişisini %t süreliğine %r nedeniyle susturdu.
kick %b, %p kişisini %r nedeniyle attı.
unban %b, %p kişisinin yasaklanmasını kaldırdı.`,
  zh_cn: `
ban %b 以 %r 的理由封禁了 %p，该惩罚的有效时长为 %t。
mute %b 以 %r 为理由给予了 %p 时长为 %t 的禁言。
kick %b 以 %r 的理由将 %p 踢出了游戏。
unban %b 撤销了 %p 的封禁。`,
  zh_tw: `
ban %b 已封鎖 %p 因為 %r, 懲罰時間為 %t.
mute %b 已禁言 %p 因為 %r, 懲罰時間為 %t.
kick %b 已被踢出 %p 因為 %r.
unban %b 解除封鎖 %p.`,
  en: `
ban %b banned %p for %t because of %r.
mute %b muted %p for %t because of %r.
kick %b kicked %p because of %r.
unban %b unbanned %p.`,
};
