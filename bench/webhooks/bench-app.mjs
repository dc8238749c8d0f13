// Tradepost as a sender of a backlog. SQL statements write the backlog, because recording events one by one would
// take minutes. The events of an endpoint are copies of one sealed payload.
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openFolder, ROOT } from '../lib/bench.mjs'
import { environment, startServer } from '../lib/server.mjs'
import { payloadOf } from './payload.mjs'

const importBuilt = (file) => import(join(ROOT, 'dist', file))

const ENDPOINTS_A_STORE = 10
const BATCH = 5_000
const SETTINGS = { TRADEPOST_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' }

/** Opens the sender. It is a worker process on a database server, or the whole program with an embedded database. */
export async function openTradepost(atEnd, options) {
  const { urls, databaseUrl, pid, perStore = ENDPOINTS_A_STORE, subscribers = 1 } = options
  const settings = { ...SETTINGS, ...(databaseUrl && { TRADEPOST_ROLE: 'worker' }) }
  const setup = { dataDir: openFolder(atEnd), databaseUrl, settings }
  const withOwnApp = (work) => withApp(setup, work)
  const targets = await withOwnApp((app) => createTargets(app, urls, perStore))
  return {
    name: databaseUrl ? 'Tradepost' : 'Tradepost, embedded',
    setup,
    targets,
    withApp: withOwnApp,
    fill: (count) => withOwnApp(({ db }) => fillBacklog(db, targets, count, subscribers)),
    fillHistory: (count) => withOwnApp(({ db }) => fillHistory(db, targets, count)),
    countPending: () => withOwnApp(({ db }) => countPending(db)),
    async start() {
      const { child, stop } = await startServer(atEnd, setup)
      return { pids: [child.pid, pid], stop }
    },
  }
}

/** Opens the app on a database, without HTTP and without workers. */
export async function openBenchApp({ dataDir, databaseUrl, settings }) {
  const { readConfig } = await importBuilt('config/config.js')
  const { openApp } = await importBuilt('process/open-app.js')
  const { pino } = await import('pino')
  const { config } = readConfig({ ...environment(dataDir, databaseUrl), ...settings })
  return openApp(config, { log: pino({ level: 'error' }) })
}

/** Runs `work` with the app on a database, then closes the app. */
export async function withApp(setup, work) {
  const { app, close } = await openBenchApp(setup)
  try {
    return await work(app)
  } finally {
    await close()
  }
}

/** Creates stores with webhook endpoints. The endpoints of a store subscribe to different event types. */
async function createTargets(app, urls, perStore) {
  const { createStore } = await importBuilt('features/installation/stores/create-store.js')
  const { createWebhook } = await importBuilt('features/webhooks/create-webhook.js')
  const { storeContextOf } = await importBuilt('app.js')
  const { EVENT_TYPES } = await importBuilt('events/types.js')
  const { payloadSealContext } = await importBuilt('events/sealed.js')
  const targets = []
  for (let from = 0; from < urls.length; from += perStore) {
    const name = `Bench ${from}`
    const { live } = await createStore(app, { name, currency: 'EUR', plan: 'self_hosted' })
    for (const [index, url] of urls.slice(from, from + perStore).entries()) {
      const type = EVENT_TYPES[index]
      const fields = { url, events: [type], description: null, enabled: true }
      const { webhook } = await createWebhook(storeContextOf(app, live), fields)
      const tag = randomInt(2 ** 47)
      const payload_enc = app.vault.seal(payloadSealContext(live.id, tag), payloadOf(type))
      targets.push({
        store: live,
        type,
        tag,
        payload_enc,
        endpoint_id: await endpointIdOf(app.db, webhook),
      })
    }
  }
  return targets
}

async function endpointIdOf(db, { id }) {
  const { rows } = await sql`select id from webhook_endpoint where public_id = ${id}`.execute(db)
  return rows[0].id
}

/** Writes `count` pending deliveries. Each event is sent to `subscribers` endpoints of its store. */
export function fillBacklog(db, targets, count, subscribers = 1) {
  const receivers = targets.map((target) => {
    const ids = targets
      .filter(({ store }) => store === target.store)
      .map(({ endpoint_id }) => endpoint_id)
    const position = ids.indexOf(target.endpoint_id)
    const endpoint_ids = [...ids.slice(position), ...ids.slice(0, position)].slice(0, subscribers)
    return { id: target.endpoint_id, endpoint_ids }
  })
  return inBatches(Math.ceil(count / subscribers), (from, to) =>
    sql`${insertEvents(targets, from, to)}
      insert into webhook_fanout (store_id, no, endpoint_ids)
      select e.store_id, e.no, r.endpoint_ids::bigint[]
        from new_event e
        join unnest(${receivers.map(({ id }) => id)}::bigint[],
                    ${receivers.map(({ endpoint_ids }) => `{${endpoint_ids}}`)}::text[]) as r(id, endpoint_ids)
          on r.id = e.endpoint_id`.execute(db),
  )
}

/** Writes deliveries whose first attempt succeeded an hour ago. */
async function fillHistory(db, targets, count) {
  await inBatches(count, (from, to) =>
    sql`${insertEvents(targets, from, to)}
      insert into webhook_delivery
             (store_id, id, endpoint_id, status, attempts, attempted_at, status_code, duration_ms,
              response_body, created_at, updated_at)
      select store_id, no * 32, endpoint_id, 'succeeded', 1, now() - interval '1 h', 200, 3, 'ok',
             now() - interval '1 h', now() - interval '1 h'
        from new_event`.execute(db),
  )
  // Otherwise autovacuum would run at a random time of the measurement.
  await sql`vacuum analyze event`.execute(db)
  await sql`vacuum analyze webhook_delivery`.execute(db)
}

async function inBatches(count, insert) {
  for (let from = 0; from < count; from += BATCH) await insert(from, Math.min(count, from + BATCH))
}

/** Returns the `with` clause of a statement. It inserts events, which the statement reads from `new_event`. */
function insertEvents(targets, from, to) {
  const column = (name) => targets.map((target) => target[name])
  return sql`
    with target as materialized (
      select *
        from unnest(${targets.map(({ store }) => store.id)}::bigint[], ${column('endpoint_id')}::bigint[],
                    ${column('tag')}::bigint[], ${column('type')}::text[],
                    ${column('payload_enc')}::bytea[])
          with ordinality as t(store_id, endpoint_id, tag, type, payload_enc, position)
    ), new_event as materialized (
      select t.*, nextval('event_no') as no
        from generate_series(${from}::int, ${to - 1}::int) as n
        join target t on t.position = n % ${targets.length}::int + 1
    ), insertion as (
      insert into event (store_id, no, tag, type, object_id, payload_enc, created_at)
      select store_id, no, tag, type, 'bench', payload_enc, now()
        from new_event
    )`
}

async function countPending(db) {
  const { rows } = await sql`
    select (select count(*) from webhook_fanout) + (select count(*) from webhook_retry)
           as pending`.execute(db)
  return Number(rows[0].pending)
}
