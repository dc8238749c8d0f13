import { type ReactNode, useEffect, useState } from 'react'
import { common } from '../text/common.ts'
import { copyText } from './copy-text.ts'
import { formatAgo, formatDateTime, formatMoney, humanize } from './format.ts'
import { useStoreAhead } from './store-clock.ts'

export const Money = ({ cents, currency }: { cents: number; currency: string }) => (
  <span className="money">{formatMoney(cents, currency)}</span>
)

interface TimeProps {
  at: string | null
  /** True to count from the store's clock until now; `machine` if the moment is by the server's own. */
  ago?: boolean | 'machine'
}

/** A moment; its full form is in the title and for screen readers. */
export function Time({ at, ago = false }: TimeProps) {
  const ahead_ms = useStoreAhead()
  if (at === null) return <span className="quiet">–</span>
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {ago ? formatAgo(at, Date.now() + (ago === 'machine' ? 0 : ahead_ms)) : formatDateTime(at)}
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
  ],
  closed: [],
}

const toneOf = (word: string): Tone => {
  const tones = Object.keys(TONES) as Tone[]
  return tones.find((tone) => TONES[tone].includes(word)) ?? 'closed'
}

interface StateProps {
  /** The state as the API names it. */
  state: string
  /** The shown text; by default the state in words. */
  children?: ReactNode
  tone?: Tone
}

/** A state in a list: a small boxed word. */
export const State = ({ state, children, tone = toneOf(state) }: StateProps) => (
  <span className={`state ${tone}`}>{children ?? humanize(state)}</span>
)

/** The state of the record that a page shows. */
export const Stamp = ({ state, children, tone = toneOf(state) }: StateProps) => (
  <span className={`stamp ${tone}`}>{children ?? humanize(state)}</span>
)

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
    const timer = setTimeout(() => setCopied(false), 2_000)
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
        className="quiet-button"
        onClick={copy}
        aria-label={`${common.copy} ${label ?? text}`.slice(0, 80)}
      >
        {isCopied ? common.copied : common.copy}
      </button>
    </span>
  )
}

/** Names and values of a record. Values that are undefined are left out. */
export const Facts = ({ of }: { of: readonly (readonly [string, ReactNode | undefined])[] }) => (
  <dl className="facts">
    {of.map(
      ([name, value]) =>
        value !== undefined && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? <span className="quiet">–</span>}</dd>
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

/** A titled sheet of a page. */
export const Section = ({ title, actions, children }: SectionProps) => (
  <section className="sheet" aria-label={title}>
    <header className="sheet-head">
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

/** The record as the API answers it. */
export const Raw = ({ record }: { record: unknown }) => (
  <details className="raw">
    <summary>{common.raw}</summary>
    <Copy block text={JSON.stringify(record, null, 2)} label={common.raw} />
  </details>
)
