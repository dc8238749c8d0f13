import { type ReactNode, useEffect, useState } from 'react'
import { BASE } from '../api/base.ts'
import { common } from '../text/common.ts'
import { copyText } from './copy-text.ts'
import { formatAgo, formatDateTime, formatMoney, humanize } from './format.ts'
import { useStoreClockLead } from './store-clock.ts'

export const Money = ({ cents, currency }: { cents: number; currency: string }) => (
  <span className="money">{formatMoney(cents, currency)}</span>
)

interface TimeProps {
  at: string | null
  /**
   * True to show the time since the moment by the store's clock. `machine` uses the server's own
   * clock.
   */
  ago?: boolean | 'machine'
}

/** A moment. Its full form is in the title, and screen readers read it. */
export function Time({ at, ago = false }: TimeProps) {
  const clockLead_ms = useStoreClockLead()
  if (at === null) return <span className="secondary-text">–</span>
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {ago
        ? formatAgo(at, Date.now() + (ago === 'machine' ? 0 : clockLead_ms))
        : formatDateTime(at)}
    </time>
  )
}

export type Tone = 'paid' | 'waiting' | 'refunded' | 'failed' | 'closed'

const TONES: Record<Tone, readonly string[]> = {
  paid: [
    'paid',
    'completed',
    'active',
    'delivered',
    'enabled',
    'succeeded',
    'published',
    'answered',
    'valid',
    'open',
    'fulfilled',
    'shipped',
    'sent',
    'on',
    'approved',
    'accepted',
    'live',
    'trialing',
    'in_stock',
    'confirmed',
    'resolved',
    'ok',
  ],
  waiting: [
    'pending',
    'manual_review',
    'partially_paid',
    'processing',
    'requested',
    'received',
    'draft',
    'flagged',
    'unfulfilled',
    'partial',
    'past_due',
    'awaiting_seller',
    'awaiting_customer',
    'hold',
    'on_hold',
    'applied',
    'low_stock',
    'paused',
    'retrying',
    'waiting',
  ],
  refunded: ['refunded', 'replaced', 'returned', 'reversed', 'restocked'],
  failed: [
    'failed',
    'banned',
    'rejected',
    'disabled',
    'out_of_stock',
    'error',
    'blocked',
    'revoked',
    'suspended',
    'unpaid',
    'refused',
    'disputed',
  ],
  closed: [],
}

const toneOf = (word: string): Tone => {
  const tones = Object.keys(TONES) as Tone[]
  return tones.find((tone) => TONES[tone].includes(word)) ?? 'closed'
}

interface StateProps {
  /** The state, in the API's word. */
  state: string
  /** The shown text; by default the state in words. */
  children?: ReactNode
  tone?: Tone
}

/** A state in a list, as a small box. */
export const State = ({ state, children, tone = toneOf(state) }: StateProps) => (
  <span className={`state ${tone}`}>{children ?? humanize(state)}</span>
)

/** The state of the record that a page shows. */
export const Stamp = ({ state, children, tone = toneOf(state) }: StateProps) => (
  <span className={`stamp ${tone}`}>{children ?? humanize(state)}</span>
)

/** The time for which a copy button says that the text was copied. */
const COPIED_MS = 2_000

/** Text to copy, such as an id or a secret. */
export function Copy({
  text,
  label,
  block = false,
}: {
  text: string
  label?: string
  block?: boolean
}) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    setCopied(await copyText(text))
  }
  return (
    <span className={block ? 'copy block' : 'copy'}>
      {block ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls must be reachable by keyboard.
        <pre tabIndex={0}>{text}</pre>
      ) : (
        <code>{text}</code>
      )}
      <button
        type="button"
        className="text-button"
        onClick={copy}
        aria-label={`${common.copy} ${label ?? text}`.slice(0, 80)}
      >
        {isCopied ? common.copied : common.copy}
      </button>
    </span>
  )
}

/** The names and values of a record. Undefined values are left out. */
export const Facts = ({
  rows,
}: {
  rows: readonly (readonly [string, ReactNode | undefined])[]
}) => (
  <dl className="facts">
    {rows.map(
      ([name, value]) =>
        value !== undefined && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? <span className="secondary-text">–</span>}</dd>
          </div>
        ),
    )}
  </dl>
)

interface SectionProps {
  title: string
  actions?: ReactNode
  children: ReactNode
}

/** A titled section of a page. */
export const Section = ({ title, actions, children }: SectionProps) => (
  <section className="card" aria-label={title}>
    <header className="card-head">
      <h2>{title}</h2>
      {actions && <div className="actions">{actions}</div>}
    </header>
    {children}
  </section>
)

/** Lines of a receipt: names, dotted leaders, amounts; the last line is the sum. */
export const Receipt = ({
  lines,
  stamp,
}: {
  lines: readonly { name: ReactNode; amount: ReactNode; isSum?: boolean; key: string }[]
  stamp?: ReactNode
}) => (
  <div className="receipt">
    {stamp}
    <ul>
      {lines.map(({ key, name, amount, isSum }) => (
        <li key={key} className={isSum ? 'sum' : undefined}>
          <span>{name}</span>
          <span className="leader" aria-hidden="true" />
          <span className="money">{amount}</span>
        </li>
      ))}
    </ul>
  </div>
)

/** Codes of this page and of its client, which the reference does not list. */
const OWN_CODES = ['NO_ANSWER', 'UNREADABLE_ANSWER', 'REFUSED']

/** An error code of the API, with a link to its page in the reference. */
export const ErrorCode = ({ code }: { code: string }) =>
  OWN_CODES.includes(code) ? (
    <code>{code}</code>
  ) : (
    <a href={`${BASE}/docs/errors/${code}`} target="_blank" rel="noreferrer">
      <code>{code}</code>
    </a>
  )

/** The record as the API returns it. */
export const Raw = ({ record }: { record: unknown }) => (
  <details className="raw">
    <summary>{common.raw}</summary>
    <Copy block text={JSON.stringify(record, null, 2)} label={common.raw} />
  </details>
)
