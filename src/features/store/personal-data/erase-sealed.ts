import type { Tx } from '../../../db/database.ts'
import { payloadSealContext } from '../../../events/sealed.ts'
import { answerSealContext } from '../../../http/sealed.ts'
import type { StoreContext } from '../../../store-context.ts'
import { textSealContext } from '../orders/index.ts'
import { ERASED_TEXT, mentionsPerson, type PersonRecords, withoutPerson } from './person.rules.ts'
import * as q from './queries/index.ts'

const BATCH = 100

/** Removes the personal data from sealed values: delivered texts, payloads of events, stored answers. */
export async function eraseSealed(
  tx: Tx,
  context: StoreContext,
  records: PersonRecords,
): Promise<void> {
  await eraseTexts(tx, context, records.orderIds)
  await eraseEvents(tx, context, records)
  await eraseAnswers(tx, context, records)
}

async function eraseTexts(tx: Tx, { store, vault }: StoreContext, orderIds: readonly string[]) {
  for (const id of await q.selectDeliveredTextIds(tx, store.id, orderIds)) {
    const context = textSealContext(store.id, id)
    await q.updateDeliveredText(tx, store.id, id, vault.seal(context, ERASED_TEXT))
  }
}

/** Removes the personal data from events. The events are not deleted, because deliveries may be pending. */
async function eraseEvents(
  tx: Tx,
  { store, vault }: StoreContext,
  { person, idsByType }: PersonRecords,
) {
  const objectIds = [...new Set([...idsByType.values()].flat())]
  for (let start = 0; start < objectIds.length; start += BATCH) {
    const events = await q.selectEvents(tx, store.id, objectIds.slice(start, start + BATCH))
    const erasedEvents = events.flatMap(({ no, tag, payload_enc }) => {
      const context = payloadSealContext(store.id, tag)
      const payload = JSON.parse(vault.open(context, payload_enc).toString())
      // A conversion has no id; it is the record of its order.
      const { object, invoice_id, id = invoice_id } = payload.data?.object ?? {}
      if (!idsByType.get(object)?.includes(String(id))) return []
      const cleanedPayload = JSON.stringify(withoutPerson(payload, person))
      return [{ no, payload_enc: vault.seal(context, cleanedPayload) }]
    })
    if (erasedEvents.length > 0) await q.updateEvents(tx, store.id, erasedEvents)
  }
}

/**
 * Removes the personal data from the answers that are stored with idempotency keys. The answers are not
 * deleted, so that a repeated call has no second effect.
 */
async function eraseAnswers(tx: Tx, { store, vault }: StoreContext, records: PersonRecords) {
  const { person } = records
  let after = { created_at: '-infinity', api_key_id: 0, key: '' }
  for (;;) {
    const answers = await q.selectAnswers(tx, store.id, after, BATCH)
    for (const answer of answers) {
      if (mentionsPerson(answer.key, { person, customerIds: [], orderIds: [] })) {
        await q.deleteAnswer(tx, store.id, answer)
        continue
      }
      const context = answerSealContext(store.id, answer.api_key_id, answer.key)
      const text = vault.open(context, answer.body_enc).toString()
      if (!mentionsPerson(text, records)) continue
      const cleanedBody = withoutPerson(JSON.parse(text), person)
      const body_enc = vault.seal(context, JSON.stringify(cleanedBody))
      await q.updateAnswer(tx, store.id, { ...answer, body_enc })
    }
    const last = answers.at(-1)
    if (!last || answers.length < BATCH) return
    after = last
  }
}
