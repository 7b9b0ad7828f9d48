/** Words that never begin or end the name of a concept. */
export const STOP_WORDS: ReadonlySet<string> = words(`
  a an the this that these those each every some any no all both either neither such same other another own
  i me my we us our you your he him his she her it its they them their who whom whose which what where when why how
  itself themselves himself herself myself ourselves one ones
  am is are was were be been being do does did done doing have has had having
  can could may might must shall should will would
  and or but nor so yet if unless because although though while whereas whether than as since until once
  of in on at by for with from to into onto upon about above below under over between among through during before after
  against within without across along around behind beyond despite except near off out per via towards toward
  not never also too very more most much many few fewer little less least several only even just still often usually
  always then there here now ever again already almost perhaps rather quite thus hence therefore however moreover
  furthermore e.g i.e etc e.g. i.e. etc. et al vs`);

/** Words that make up a good part of any English prose and hardly occur in other languages. */
export const ENGLISH_WORDS: ReadonlySet<string> = words(`
  the of and to is are was were be been that this these those it its with for from by which who whose their they them
  has have had not but or as at on can may will would should could when where because while than then there into an a
  between through after before during such each every some any many more most other`);

/** The same for languages that share letters with English. */
export const FOREIGN_WORDS: ReadonlySet<string> = words(`
  der das und ist nicht ein eine einen einer mit von zu den dem des wird sich auf für
  le la les du est et une dans que qui pour par sur avec ce cette au aux
  el los las es del por con para una se su como más
  il che di per non della sono gli nel uma não os do da em het een van dat niet zijn ook og er det som på att och`);

/** Stems of verbs that state relations: a phrase beside one is more likely a concept. */
export const RELATION_STEMS: ReadonlySet<string> = words(`
  caus lead requir need depend preced follow produc creat result trigger driven drive enabl is are reli befor after aris
  stem make`);

export function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
