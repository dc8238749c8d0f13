import type { AccountAuditEvent } from '../../api/store.ts'
import { fieldName, recordKind } from '../../kit/audit-words.ts'
import { useCurrency } from '../../kit/currency.tsx'
import { eventName } from '../../kit/event-name.ts'
import { formatDateTime, formatMoney, formatNumber, humanize } from '../../kit/format.ts'
import { reasonText } from '../../kit/reasons.ts'
import { yesNo } from '../../kit/values.ts'
import { listAnd } from '../../kit/words.ts'
import { records } from '../../text/records.ts'

type Changes = AccountAuditEvent['changes']

/** The fields whose values are words of the API. */
const WORD_FIELDS: ReadonlySet<string> = new Set([
  ...['access', 'author', 'billing_cycle', 'delivery_type', 'kind', 'method', 'mode', 'plan'],
  ...['payment_method', 'product_kind', 'provider', 'reason', 'role', 'shipment_status', 'source'],
  ...['status', 'stock_mode', 'storage', 'type', 'upload_state', 'visibility', 'template'],
])

const MOMENT = /^\d{4}-\d\d-\d\dT/

const isWord = (value: string) => /^[a-z]+(_[a-z]+)*$/.test(value)

const Text = ({ name, text }: { name: string; text: string }) => {
  if (MOMENT.test(text)) return formatDateTime(text)
  if (name === 'object') return recordKind(text)
  if (name === 'reason' && isWord(text)) return reasonText(text)
  if (WORD_FIELDS.has(name) && isWord(text)) return humanize(text)
  return name.endsWith('_id') ? <code>{text}</code> : text
}

/** A value of a field before or after a change. */
function Value({ name, value }: { name: string; value: unknown }) {
  const currency = useCurrency()
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return yesNo(value)
  if (typeof value === 'string') return <Text name={name} text={value} />
  if (typeof value === 'number') {
    if (name.endsWith('_cents') && currency !== undefined) return formatMoney(value, currency)
    return name.endsWith('_id') ? value : formatNumber(value)
  }
  if (name === 'events' && Array.isArray(value)) return listAnd(value.map(String).map(eventName))
  return <code>{JSON.stringify(value)}</code>
}

const FieldName = ({ name }: { name: string }) => fieldName(name) ?? <code>{name}</code>

/** The names of changed fields, such as "Price and Name". */
const namesText = (names: readonly string[]): string => {
  const known = names.flatMap((name) => fieldName(name) ?? [])
  return known.length === names.length ? listAnd([...new Set(known)]) : known.join(', ')
}

/** The changed fields in words; their values before and after are shown on request. */
export function AuditChanges({ changes }: { changes: Changes }) {
  const names = Object.keys(changes)
  if (names.length === 0) return '–'
  return (
    <details className="changes">
      <summary>{namesText(names) || records.changes}</summary>
      <dl className="facts">
        {Object.entries(changes).map(([name, change]) => (
          <div key={name}>
            <dt>
              <FieldName name={name} />
            </dt>
            <dd>
              {'from' in change && change.from !== null && (
                <>
                  <del>
                    <Value name={name} value={change.from} />
                  </del>{' '}
                  →{' '}
                </>
              )}
              <Value name={name} value={change.to} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
