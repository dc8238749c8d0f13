import { DAY_MS, HOUR_MS } from '../../../kernel/time.ts'

/** A table whose records are deleted at an age, by the clock of their store (decision 41). */
export interface Retention {
  table: string
  /** The columns of the primary key, in their order. */
  key: readonly string[]
  /** The start of the age: a column or an expression with an index on (store_id, …). */
  since: string
  age_ms: number
  /** A condition on the row `t`. Rows that do not match it are kept. */
  condition?: string
}

const YEAR_MS = 365 * DAY_MS

/**
 * Every table whose records are deleted by age alone. Events and their deliveries depend
 * on each other and have a separate job. docs/guides/running.md lists every table.
 */
export const RETENTIONS: readonly Retention[] = [
  {
    table: 'idempotent_answer',
    key: ['store_id', 'api_key_id', 'key'],
    since: 'created_at',
    // Answers are replayed for a day. The additional hour covers requests that are under way.
    age_ms: DAY_MS + HOUR_MS,
  },
  {
    table: 'mail',
    key: ['store_id', 'id'],
    since: 'created_at',
    age_ms: 30 * DAY_MS,
    condition: `t.status <> 'queued'`,
  },
  {
    table: 'payment_callback',
    key: ['store_id', 'id'],
    since: 'received_at',
    age_ms: 30 * DAY_MS,
    condition: `t.status <> 'received'`,
  },
  {
    table: 'client_session',
    key: ['store_id', 'id'],
    since: 'lease_expires_at',
    age_ms: 30 * DAY_MS,
  },
  {
    table: 'client_report',
    key: ['store_id', 'id'],
    since: 'created_at',
    age_ms: 90 * DAY_MS,
  },
  {
    table: 'record_read',
    key: ['store_id', 'kind', 'record_id', 'key_id'],
    since: 'last_at',
    age_ms: 90 * DAY_MS,
  },
  {
    table: 'stock_alert',
    key: ['store_id', 'id'],
    since: 'coalesce(notified_at, created_at)',
    age_ms: 90 * DAY_MS,
    condition: `t.status <> 'pending'`,
  },
  {
    table: 'webhook_endpoint',
    key: ['store_id', 'id'],
    since: 'deleted_at',
    age_ms: 60 * DAY_MS,
    // A scalar subquery, which the planner looks up for each endpoint instead of joining all deliveries.
    condition: `t.deleted_at is not null and not t.moving and (
             select true from webhook_delivery d
              where d.store_id = t.store_id and d.endpoint_id = t.id limit 1) is null`,
  },
  {
    table: 'license_key_tombstone',
    key: ['store_id', 'app_id', 'key_hmac'],
    since: 'created_at',
    age_ms: 5 * YEAR_MS,
  },
]
