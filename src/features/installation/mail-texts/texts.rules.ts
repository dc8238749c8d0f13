import type { Language } from '../../../kernel/language.ts'
import { ENGLISH } from './english.rules.ts'
import type { ButtonLabels } from './fill.rules.ts'
import { GERMAN } from './german.rules.ts'
import type { LanguageTexts, MailText } from './language-texts.rules.ts'
import type { Template } from './placeholders.rules.ts'
import { SPANISH } from './spanish.rules.ts'

const TEXTS: Record<Language, LanguageTexts> = { en: ENGLISH, de: GERMAN, es: SPANISH }

/** Returns the texts of mail in a language. */
export const textsIn = (language: Language): LanguageTexts => TEXTS[language]

/** Returns the built-in text of a template. */
export const defaultText = (template: Template, language: Language): MailText =>
  TEXTS[language].templates[template]

/** Returns the labels of the buttons of a template. */
export function buttonLabels(template: Template, language: Language): ButtonLabels {
  const { labels, linkLabels, linkLabel } = TEXTS[language]
  return { ...labels, link: linkLabels[template] ?? linkLabel }
}
