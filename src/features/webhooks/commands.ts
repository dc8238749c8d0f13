import { type App, shopOf } from '../../app.ts'
import { CommandError, command, type Input, needed, text } from '../../command.ts'
import { EVENT_TYPES, type EventType } from '../../events/types.ts'
import { StoreError } from '../../kernel/errors.ts'
import { iso, parseDuration } from '../../kernel/time.ts'
import type { Shop } from '../../shop.ts'
import { asStore, storeNamed } from '../stores/index.ts'
import { explainDelivery } from './explain-delivery.ts'
import { selectFailedSince } from './queries/log.ts'
import { resendDelivery } from './send-by-hand.ts'
import { triggerEvent } from './trigger-event.ts'

const STORE = { flags: '--store <hash>', description: 'the id of the store', required: true }

export const webhookCommands = [
  command({
    name: 'webhooks trigger',
    summary: 'Send a sample event to every endpoint that is subscribed to its type.',
    args: ['<type>'],
    options: [STORE],
    needsWorkers: true,
    async run(app, input) {
      const type = EVENT_TYPES.find((one) => one === input.type)
      if (!type) throw new CommandError(`<type>: write one of ${EVENT_TYPES.join(', ')}.`, 2)
      return triggerEvent(await shopNamed(app, input), type as EventType)
    },
    print: ({ event, deliveries }) => `${event} goes to ${deliveries} endpoints.`,
  }),

  command({
    name: 'webhooks resend',
    summary: 'Send again what failed since a time.',
    options: [
      STORE,
      { flags: '--failed-since <duration>', description: 'such as 2h or 3d', required: true },
    ],
    async run(app, input) {
      const since_ms = parseDuration(needed(input, 'failedSince'))
      if (!since_ms) throw new CommandError('--failed-since: write 45m, 2h or 3d.', 2)
      return resendFailed(await shopNamed(app, input), since_ms)
    },
    print: ({ resent, failed }) => `${resent} arrived, ${failed} failed again.`,
  }),

  command({
    name: 'webhooks explain',
    summary: 'Show how a delivery is signed, and why a header you received does not match.',
    args: ['<delivery>'],
    options: [
      STORE,
      { flags: '--header <value>', description: 'the Service-Signature that you received' },
      { flags: '--secret <whsec>', description: 'the secret that you verify with' },
    ],
    async run(app, input) {
      const id = needed(input, 'delivery')
      if (!/^\d{1,16}$/.test(id)) throw new CommandError(`There is no delivery ${id}.`)
      const shop = await shopNamed(app, input)
      return explainDelivery(shop, Number(id), {
        header: text(input, 'header'),
        secret: text(input, 'secret'),
      })
    },
    print: ({ steps, findings }) => [...steps, '', ...findings].join('\n'),
  }),
]

async function shopNamed(app: App, input: Input): Promise<Shop> {
  return shopOf(app, asStore(await storeNamed(app, input)))
}

const PAGE = 100

/** One after the other, so that a receiver that just recovered is not flooded. */
async function resendFailed(shop: Shop, since_ms: number) {
  const since = iso(Date.parse(shop.now) - since_ms)
  const counts = { resent: 0, failed: 0 }
  let after = 0
  for (;;) {
    const ids = await selectFailedSince(shop.db, shop.store.id, { since, after, limit: PAGE })
    const last = ids.at(-1)
    if (last === undefined) return counts
    for (const id of ids) counts[(await arrives(shop, id)) ? 'resent' : 'failed']++
    after = last
  }
}

async function arrives(shop: Shop, id: number): Promise<boolean> {
  try {
    return (await resendDelivery(shop, id)).result.ok
  } catch (error) {
    if (error instanceof StoreError) return false
    throw error
  }
}
