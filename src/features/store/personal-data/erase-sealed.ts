import type { Tx } from '../../../db/database.ts'
import { payloadSealContext } from '../../../events/sealed.ts'
import { answerSealContext } from '../../../http/sealed.ts'
import type { StoreContext } from '../../../store-context.ts'
import { textSealContext } from '../orders/index.ts'
import { ERASED_TEXT, isAbout, type Traces, withoutPerson } from './person.rules.ts'
import * as q from './queries/erase-sealed.ts'

const BATCH = 100

/** Removes the person from sealed values: delivered texts, payloads of events, stored answers. */
export async function eraseSealed(tx: Tx, context: StoreContext, traces: Traces): Promise<void> {
  await eraseTexts(tx, context, traces.orderIds)
  await eraseEvents(tx, context, traces)
  await eraseAnswers(tx, context, traces)
}

async function eraseTexts(tx: Tx, { store, vault }: StoreContext, orderIds: readonly string[]) {
  for (const id of await q.selectDeliveredTexts(tx, store.id, orderIds)) {
    const context = textSealContext(store.id, id)
    await q.updateDeliveredText(tx, store.id, id, vault.seal(context, ERASED_TEXT))
  }
}

/** Events stay, also for pending deliveries; their personal data is removed. */
async function eraseEvents(tx: Tx, { store, vault }: StoreContext, { person, records }: Traces) {
  const objectIds = [...new Set([...records.values()].flat())]
  for (let from = 0; from < objectIds.length; from += BATCH) {
    const events = await q.selectEvents(tx, store.id, objectIds.slice(from, from + BATCH))
    const erased = events.flatMap(({ no, tag, payload_enc }) => {
      const context = payloadSealContext(store.id, tag)
      const payload = JSON.parse(vault.open(context, payload_enc).toString())
      const { object, invoice_id, id = invoice_id } = payload.data?.object ?? {}
      if (!records.get(object)?.includes(String(id))) return []
      const rest = JSON.stringify(withoutPerson(payload, person))
      return [{ no, payload_enc: vault.seal(context, rest) }]
    })
    if (erased.length > 0) await q.updateEvents(tx, store.id, erased)
  }
}

/** A repeated call gets the stored answer without the person, and still has no second effect. */
async function eraseAnswers(tx: Tx, { store, vault }: StoreContext, traces: Traces) {
  const { person } = traces
  let after = { created_at: '-infinity', api_key_id: 0, key: '' }
  for (;;) {
    const answers = await q.selectAnswers(tx, store.id, after, BATCH)
    for (const answer of answers) {
      if (isAbout(answer.key, { person, customerIds: [], orderIds: [] })) {
        await q.deleteAnswer(tx, store.id, answer)
        continue
      }
      const context = answerSealContext(store.id, answer.api_key_id, answer.key)
      const text = vault.open(context, answer.body_enc).toString()
      if (!isAbout(text, traces)) continue
      const rest = withoutPerson(JSON.parse(text), person)
      const body_enc = vault.seal(context, JSON.stringify(rest))
      await q.updateAnswer(tx, store.id, { ...answer, body_enc })
    }
    const last = answers.at(-1)
    if (!last || answers.length < BATCH) return
    after = last
  }
}
