// Tradepost with endpoints and a backlog of pending events. Statements write the backlog and copy one
// sealed payload for each endpoint. The sender handles it like recorded events.
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openFolder, ROOT } from '../lib/bench.mjs'
import { environment, startServer } from '../lib/shop.mjs'
import { payloadOf } from './payload.mjs'

const load = (file) => import(join(ROOT, 'dist', file))

const ENDPOINTS_A_STORE = 10
const BATCH = 5_000
const SETTINGS = { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' }

/** Starts the sender: a worker process on a database server, or the whole program if embedded. */
export async function openOurs(later, options) {
  const { urls, databaseUrl, pid, perStore = ENDPOINTS_A_STORE, subscribers = 1 } = options
  const settings = { ...SETTINGS, ...(databaseUrl && { TRADEPOST_ROLE: 'worker' }) }
  const place = { dataDir: openFolder(later), databaseUrl, settings }
  const within = (work) => withApp(place, work)
  const targets = await within((app) => furnish(app, urls, perStore))
  return {
    name: databaseUrl ? 'Tradepost' : 'Tradepost, embedded',
    place,
    targets,
    within,
    fill: (count) => within(({ db }) => fillBacklog(db, targets, count, subscribers)),
    remember: (count) => within(({ db }) => fillHistory(db, targets, count)),
    left: () => within(({ db }) => countLeft(db)),
    async start() {
      const { child, stop } = await startServer(later, place)
      return { pids: [child.pid, pid], stop }
    },
  }
}

/** The machinery of the program on a database, without HTTP and without workers. */
export async function openMachinery({ dataDir, databaseUrl, settings }) {
  const { readConfig } = await load('config/config.js')
  const { openApp } = await load('process/open-app.js')
  const { pino } = await import('pino')
  const { config } = readConfig({ ...environment(dataDir, databaseUrl), ...settings })
  return openApp(config, { log: pino({ level: 'error' }) })
}

async function withApp(place, work) {
  const { app, close } = await openMachinery(place)
  try {
    return await work(app)
  } finally {
    await close()
  }
}

/** Creates stores whose endpoints each subscribe to a different type: one endpoint for each event. */
async function furnish(app, urls, perStore) {
  const { createStore } = await load('features/installation/stores/create-store.js')
  const { createWebhook } = await load('features/webhooks/create-webhook.js')
  const { storeContextOf } = await load('app.js')
  const { EVENT_TYPES } = await load('events/types.js')
  const { payloadSealContext } = await load('events/sealed.js')
  const targets = []
  for (let from = 0; from < urls.length; from += perStore) {
    const name = `Bench ${from}`
    const { live } = await createStore(app, { name, currency: 'EUR', plan: 'self_hosted' })
    for (const [at, url] of urls.slice(from, from + perStore).entries()) {
      const type = EVENT_TYPES[at]
      const fields = { url, events: [type], description: null, enabled: true }
      const { webhook } = await createWebhook(storeContextOf(app, live), fields)
      const tag = randomInt(2 ** 47)
      const payload_enc = app.vault.seal(payloadSealContext(live.id, tag), payloadOf(type))
      targets.push({
        store: live,
        type,
        tag,
        payload_enc,
        endpoint_id: await idOf(app.db, webhook),
      })
    }
  }
  return targets
}

async function idOf(db, { id }) {
  const { rows } = await sql`select id from webhook_endpoint where public_id = ${id}`.execute(db)
  return rows[0].id
}

/** Writes deliveries of events to which `subscribers` endpoints of their store are subscribed. */
export function fillBacklog(db, targets, count, subscribers = 1) {
  const answerListeners = targets.map((target) => {
    const ids = targets
      .filter(({ store }) => store === target.store)
      .map((item) => item.endpoint_id)
    const own = ids.indexOf(target.endpoint_id)
    return {
      id: target.endpoint_id,
      all: [...ids.slice(own), ...ids.slice(0, own)].slice(0, subscribers),
    }
  })
  return inBatches(Math.ceil(count / subscribers), (from, to) =>
    sql`${recorded(targets, from, to)}
      insert into webhook_fanout (store_id, no, endpoint_ids)
      select store_id, no, h.endpoint_ids::bigint[]
        from made
        join unnest(${answerListeners.map(({ id }) => id)}::bigint[],
                    ${answerListeners.map(({ all }) => `{${all}}`)}::text[]) as h(id, endpoint_ids)
          on h.id = made.endpoint_id`.execute(db),
  )
}

/** Deliveries that succeeded at their first attempt, an hour ago. */
async function fillHistory(db, targets, count) {
  await inBatches(count, (from, to) =>
    sql`${recorded(targets, from, to)}
      insert into webhook_delivery
             (store_id, id, endpoint_id, status, attempts, attempted_at, status_code, duration_ms,
              response_body, created_at, updated_at)
      select store_id, no * 32, endpoint_id, 'succeeded', 1, now() - interval '1 h', 200, 3, 'ok',
             now() - interval '1 h', now() - interval '1 h'
        from made`.execute(db),
  )
  // Vacuums now; otherwise autovacuum would run at a random moment of the measurement.
  await sql`vacuum analyze event`.execute(db)
  await sql`vacuum analyze webhook_delivery`.execute(db)
}

async function inBatches(count, insert) {
  for (let from = 0; from < count; from += BATCH) await insert(from, Math.min(count, from + BATCH))
}

function recorded(targets, from, to) {
  const column = (name) => targets.map((target) => target[name])
  return sql`
    with target as materialized (
      select *
        from unnest(${targets.map(({ store }) => store.id)}::bigint[], ${column('endpoint_id')}::bigint[],
                    ${column('tag')}::bigint[], ${column('type')}::text[],
                    ${column('payload_enc')}::bytea[])
          with ordinality as t(store_id, endpoint_id, tag, type, payload_enc, place)
    ), made as materialized (
      select t.*, nextval('event_no') as no
        from generate_series(${from}::int, ${to - 1}::int) as n
        join target t on t.place = n % ${targets.length}::int + 1
    ), told as (
      insert into event (store_id, no, tag, type, object_id, payload_enc, created_at)
      select store_id, no, tag, type, 'bench', payload_enc, now()
        from made
    )`
}

async function countLeft(db) {
  const { rows } = await sql`
    select (select count(*) from webhook_fanout) + (select count(*) from webhook_retry)
           as waiting`.execute(db)
  return Number(rows[0].waiting)
}
