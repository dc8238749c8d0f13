import { z } from 'zod'
import { LANGUAGES } from '../../../kernel/language.ts'
import { Email, Line, VisibleText } from '../../../kernel/shapes.ts'
import { PLACEHOLDERS, STORE_TEMPLATES } from '../mail-texts/index.ts'

const SUBJECT_MAX = 150
const BODY_TEXT_MAX = 10_000

const PLACEHOLDER_LIST = PLACEHOLDERS.map((name) => `\`{{${name}}}\``).join(', ')

export const MailTemplate = z
  .object({
    object: z.literal('mail_template').describe('Always `mail_template`.'),
    template: z.enum(STORE_TEMPLATES).describe('The kind of mail.'),
    language: z.enum(LANGUAGES).describe('The language of the text.'),
    subject: z.string().describe('The subject, with placeholders.'),
    body_text: z.string().describe('The text, with placeholders.'),
    custom: z.boolean().describe('True if the store has replaced the built-in text.'),
  })
  .meta({ id: 'MailTemplate', description: 'The text of a kind of mail in a language.' })
export type MailTemplate = z.output<typeof MailTemplate>

/** Any text is accepted here, because an unknown template or language is 404. */
export const MailTemplatePath = z.object({
  template: z.string().describe('The kind of mail, such as `order_paid`.'),
  language: z.string().describe('The language: `en`, `de` or `es`.'),
})
export type MailTemplatePath = z.output<typeof MailTemplatePath>

const TextFields = {
  subject: Line(SUBJECT_MAX).describe(
    'The subject, one line. It accepts the placeholders without keys and links.',
  ),
  body_text: VisibleText(BODY_TEXT_MAX).describe(
    `The text. An empty line ends a paragraph. Placeholders: ${PLACEHOLDER_LIST}. A paragraph whose only placeholder is empty is left out; a link alone on a line is shown as a button.`,
  ),
}

export const NewMailText = z.strictObject(TextFields).meta({ id: 'MailTemplateInput' })
export type NewMailText = z.output<typeof NewMailText>

export const MailDraft = z.strictObject(TextFields).partial().meta({
  id: 'MailTemplateDraft',
  description:
    'A text that is not stored yet. Fields that are left out keep their value in the preview.',
})
export type MailDraft = z.output<typeof MailDraft>

export const MailPreview = z.object({
  subject: z.string().describe('The subject with sample values.'),
  html: z.string().describe('The mail as HTML.'),
  text: z.string().describe('The mail as plain text.'),
})

export const MailTest = z
  .strictObject({ to: Email.describe('The recipient.') })
  .meta({ id: 'MailTemplateTest' })
