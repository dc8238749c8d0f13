import { auditActions, auditVerbs } from '../text/audit-actions.ts'
import { auditRecords } from '../text/audit-records.ts'
import { fill, language } from '../text/catalogue.ts'
import { licensingActions } from '../text/licensing-actions.ts'
import { recordFields } from '../text/record-fields.ts'
import { humanize } from './format.ts'

const textIn = (texts: Readonly<Record<string, string>>, word: string): string | undefined =>
  Object.hasOwn(texts, word) ? texts[word] : undefined

/** The kind of a record, such as `Webhook endpoint`. */
export const recordKind = (object: string): string =>
  textIn(auditRecords, object) ?? humanize(object)

/** German nouns keep their capital within a sentence, and so do abbreviations. */
const withinSentence = (noun: string): string =>
  language === 'de' || /^\p{Lu}{2}/u.test(noun)
    ? noun
    : noun.charAt(0).toLocaleLowerCase(language) + noun.slice(1)

/** An action of the audit trail in words: `order.refund` is "Refund order". */
export function auditActionText(action: string): string {
  const own = textIn(auditActions, action) ?? textIn(licensingActions, action)
  if (own !== undefined) return own
  const [object = '', verb = ''] = action.split('.')
  const record = textIn(auditRecords, object)
  const sentence = textIn(auditVerbs, verb)
  if (record === undefined || sentence === undefined) return humanize(action)
  return fill(sentence, { record: sentence.startsWith('{') ? record : withinSentence(record) })
}

/** The name of a field of a record; undefined if it has none here. */
export const fieldName = (name: string): string | undefined => textIn(recordFields, name)
