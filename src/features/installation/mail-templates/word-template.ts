import { inTransaction } from '../../../db/database.ts'
import { shorten } from '../../../kernel/echo.ts'
import { invalid, Refusal } from '../../../kernel/errors.ts'
import { LANGUAGES, type Language } from '../../../kernel/language.ts'
import type { StoreContext } from '../../../store-context.ts'
import {
  defaultText,
  deleteText,
  type MailText,
  PLACEHOLDERS,
  STORE_TEMPLATES,
  type StoreTemplate,
  SUBJECT_PLACEHOLDERS,
  selectCustomTexts,
  selectCustomTextsOf,
  unknownPlaceholder,
  upsertText,
} from '../mail-texts/index.ts'
import type { MailDraft, MailTemplate, MailTemplatePath, NewMailText } from './schema.ts'

/** The identity of a text that a store can word. */
export interface StoreTextKey {
  template: StoreTemplate
  language: Language
}

/** Returns all templates in all languages, each with the text of the store or the built-in one. */
export async function listTemplates({ db, store }: StoreContext): Promise<MailTemplate[]> {
  const customTexts = await selectCustomTexts(db, store.id)
  return STORE_TEMPLATES.flatMap((template) =>
    LANGUAGES.map((language) => {
      const custom = customTexts.find(
        (text) => text.template === template && text.language === language,
      )
      return shown({ template, language }, custom)
    }),
  )
}

const shown = (key: StoreTextKey, custom: MailText | undefined): MailTemplate => {
  const { subject, body_text } = custom ?? defaultText(key.template, key.language)
  return { object: 'mail_template', ...key, subject, body_text, custom: custom !== undefined }
}

/** Returns the key of a path. An unknown template or language is NOT_FOUND. */
export function keyOf({ template, language }: MailTemplatePath): StoreTextKey {
  const knownTemplate = STORE_TEMPLATES.find((name) => name === template)
  const knownLanguage = LANGUAGES.find((name) => name === language)
  if (!knownTemplate) throw noneOf(`mail template ${shorten(template)}`, STORE_TEMPLATES)
  if (!knownLanguage)
    throw noneOf(`text of ${template} in the language ${shorten(language)}`, LANGUAGES)
  return { template: knownTemplate, language: knownLanguage }
}

/** Returns the refusal of a name in a path, with the names that exist. */
const noneOf = (name: string, allowed: readonly string[]) =>
  new Refusal('NOT_FOUND', `There is no ${name}. Use one of ${allowed.join(', ')}.`, { allowed })

/** Refuses placeholders that the fields do not accept. */
export function checkPlaceholders({ subject = '', body_text = '' }: MailDraft): void {
  refuseUnknown('subject', subject, SUBJECT_PLACEHOLDERS)
  refuseUnknown('body_text', body_text, PLACEHOLDERS)
}

function refuseUnknown(
  field: 'subject' | 'body_text',
  text: string,
  allowed: typeof PLACEHOLDERS | typeof SUBJECT_PLACEHOLDERS,
): void {
  const unknown = unknownPlaceholder(text, allowed)
  if (unknown === undefined) return
  const listed = allowed.map((name) => `{{${name}}}`).join(', ')
  const message = `{{${unknown.slice(0, 40)}}} is not a placeholder of this field. Remove it, or use one of these: ${listed}.`
  throw invalid(field, message, { allowed })
}

/** Returns the present text of a template in a store. */
export async function readTemplate(
  { db, store }: StoreContext,
  key: StoreTextKey,
): Promise<MailTemplate> {
  const [custom] = await selectCustomTextsOf(db, store.id, [key])
  return shown(key, custom)
}

/** Replaces the text of a template in a language. */
export function replaceText(
  context: StoreContext,
  path: MailTemplatePath,
  text: NewMailText,
): Promise<MailTemplate> {
  const key = keyOf(path)
  checkPlaceholders(text)
  const { store, now, audit } = context
  return inTransaction(context.db, async (tx) => {
    const before = await readTemplate({ ...context, db: tx }, key)
    await upsertText(tx, store.id, { ...key, ...text, now })
    const after = shown(key, text)
    audit.reportChange(before, after)
    return after
  })
}

/** Restores the built-in text of a template in a language. */
export function restoreText(context: StoreContext, path: MailTemplatePath): Promise<MailTemplate> {
  const key = keyOf(path)
  return inTransaction(context.db, async (tx) => {
    const before = await readTemplate({ ...context, db: tx }, key)
    const after = shown(key, undefined)
    if (await deleteText(tx, context.store.id, key)) context.audit.reportChange(before, after)
    else context.audit.skipEvent()
    return after
  })
}
