export {
  type Block,
  fillBody,
  fillSubject,
  greetableName,
  type KeyGroup,
  type MailItem,
  type MailValues,
} from './fill.rules.ts'
export type { MailText } from './language-texts.rules.ts'
export { type MailBody, renderHtml, renderText, type StopLink } from './layout.rules.ts'
export {
  PLACEHOLDERS,
  STORE_TEMPLATES,
  type StoreTemplate,
  SUBJECT_PLACEHOLDERS,
  TEMPLATES,
  type Template,
  unknownPlaceholder,
} from './placeholders.rules.ts'
export {
  type CustomText,
  deleteText,
  selectCustomTexts,
  selectCustomTextsOf,
  type TextKey,
  upsertText,
} from './queries.ts'
export { sampleValues } from './sample.rules.ts'
export { buttonLabels, defaultText, textsIn } from './texts.rules.ts'
