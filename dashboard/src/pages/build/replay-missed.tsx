import { type Request, storeRequest } from '../../api/action.ts'
import type { StoreContext, Webhook } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { momentOfDay } from '../../kit/days.ts'
import { toast } from '../../kit/toast.tsx'
import { countText } from '../../kit/words.ts'
import { webhooks } from '../../text/webhooks.ts'

/** Sends the events since a day that the endpoint has no delivery of. */
export const ReplayMissed = ({ webhook }: { webhook: Webhook }) => (
  <Action
    label={webhooks.replay}
    lead={<p>{webhooks.replayLead}</p>}
    fields={[
      {
        name: 'since',
        label: webhooks.replaySince,
        type: 'date',
        required: true,
        help: webhooks.replaySinceHelp,
      },
    ]}
    submit={webhooks.replay}
    onDone={(answer) => {
      const { queued } = answer as { queued: number }
      toast(countText(queued, webhooks.replayedOne, webhooks.replayed))
    }}
    request={({ since }) => replayRequest(webhook.id, momentOfDay(String(since)))}
  />
)

/** The first call of a replay, which is repeated until no event remains. */
const replayRequest = (id: string, since: string): Request => ({
  ...storeRequest('webhooks', 'replay', id, { since }),
  send: (store) => replayAll(store, id, since),
})

async function replayAll({ api }: StoreContext, id: string, since: string) {
  let queued = 0
  for (let next: string | null = since; next !== null; ) {
    const answer: { queued: number; next_since: string | null } = await api.webhooks.replay(id, {
      since: next,
    })
    queued += answer.queued
    next = answer.next_since
  }
  return { queued }
}
