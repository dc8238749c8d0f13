import { inTransaction } from '../../../db/database.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { HOUR_MS, iso, SECOND_MS } from '../../../kernel/time.ts'
import type { StoreContext } from '../../../store-context.ts'
import { countMailOfCause, fillMail, queueMail, renderMail } from '../mail/index.ts'
import { sampleValues } from '../mail-texts/index.ts'
import type { MailDraft, MailTemplatePath } from './schema.ts'
import { checkPlaceholders, keyOf, readTemplate, type StoreTextKey } from './word-template.ts'

/** The cause of test mail, which has no order. */
const TEST_CAUSE = 'test'
/** The caller chooses the recipient and the words, so a stolen key could otherwise send mail to many strangers. */
const TESTS_PER_HOUR = 60

/** Returns a mail with sample values. Fields of a draft replace those of the stored text. */
export async function previewTemplate(
  context: StoreContext,
  path: MailTemplatePath,
  draft: MailDraft,
) {
  const key = keyOf(path)
  checkPlaceholders(draft)
  const text = { ...(await readTemplate(context, key)), ...draft }
  const mail = { ...key, values: sampleOf(context, key) }
  const { subject, ...body } = fillMail(context, text, mail)
  return { subject, ...renderMail(subject, body) }
}

/** Queues a mail with sample values to one address. */
export async function testTemplate(context: StoreContext, path: MailTemplatePath, to: string) {
  const key = keyOf(path)
  const { store, now } = context
  const mail = { ...key, recipients: [to], cause: TEST_CAUSE, values: sampleOf(context, key) }
  await inTransaction(context.db, async (tx) => {
    const since = iso(Date.parse(now) - HOUR_MS)
    const count = await countMailOfCause(tx, store.id, { cause: TEST_CAUSE, since })
    if (count >= TESTS_PER_HOUR) throw tooManyTests()
    await queueMail(tx, context, mail)
  })
  context.audit.reportChange(null, { to })
  return { to }
}

const tooManyTests = () =>
  new Refusal(
    'RATE_LIMITED',
    `A store sends ${TESTS_PER_HOUR} test mails an hour. Use the preview, or try again later.`,
    undefined,
    { 'retry-after': String(HOUR_MS / SECOND_MS) },
  )

const sampleOf = ({ store, now }: StoreContext, { template, language }: StoreTextKey) =>
  sampleValues(store, { template, language, now })
