import { rowsOf } from '../../../db/arrays.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { allRows, execute, hasChanged } from '../../../db/rows.ts'
import type { Language } from '../../../kernel/language.ts'
import type { MailText } from './language-texts.rules.ts'
import type { Template } from './placeholders.rules.ts'

/** The identity of a text in a store. */
export interface TextKey {
  template: Template
  language: Language
}

export type CustomText = TextKey & MailText

const COLUMNS = ['template', 'language', 'subject', 'body_text'] as const

/** Returns all texts that a store has worded. */
export const selectCustomTexts = (db: Db, storeId: number): Promise<CustomText[]> =>
  db
    .selectFrom('mail_template')
    .select(COLUMNS)
    .where('store_id', '=', storeId)
    .execute() as Promise<CustomText[]>

/** Returns those of these texts that a store has worded. */
export const selectCustomTextsOf = (db: Db, storeId: number, keys: readonly TextKey[]) =>
  allRows<CustomText>(db)`
    select t.template, t.language, t.subject, t.body_text
      from ${rowsOf('k', keys, { template: 'text', language: 'text' })}
      join mail_template t
        on t.store_id = ${storeId} and t.template = k.template and t.language = k.language`

export const upsertText = (
  tx: Tx,
  storeId: number,
  { template, language, subject, body_text, now }: CustomText & { now: string },
) =>
  execute(tx)`
    insert into mail_template (store_id, template, language, subject, body_text, updated_at)
    values (${storeId}, ${template}, ${language}, ${subject}, ${body_text}, ${now})
        on conflict (store_id, template, language) do update
       set subject = excluded.subject, body_text = excluded.body_text, updated_at = excluded.updated_at`

/** Returns false if the store has not worded this text. */
export const deleteText = (tx: Tx, storeId: number, { template, language }: TextKey) =>
  hasChanged(tx)`
    delete from mail_template
     where store_id = ${storeId} and template = ${template} and language = ${language}`
