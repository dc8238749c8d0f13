import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import type { WebhookHours } from '../../api/own.ts'
import { Modal } from '../../kit/action.tsx'
import { nextIndex } from '../../kit/chart.tsx'
import { formatDateTime, formatNumber } from '../../kit/format.ts'
import { type Column, Table } from '../../kit/list.tsx'
import { fill } from '../../text/catalogue.ts'
import { chart } from '../../text/chart.ts'
import { webhooks } from '../../text/webhooks.ts'

const HOUR_MS = 3_600_000
const HEIGHT = 28
/** An hour is so wide in the picture, which is drawn as wide as its place. */
const STEP = 2
/** A bar of a value other than 0 is never invisible. */
const BAR_MIN = 2

interface Hour {
  at: string
  succeeded: number
  failed: number
}

interface HourStripProps {
  /** The name of the endpoint. */
  label: string
  from: string
  of: WebhookHours
}

/**
 * The deliveries of an endpoint in 168 hours: a bar up for those that succeeded, a bar down for those that
 * failed. The arrow keys read the hours, and a table has the same values.
 */
export function HourStrip({ label, from, of }: HourStripProps) {
  const id = useId()
  const [read, setRead] = useState<number>()
  const [isTable, setTable] = useState(false)
  const hours = of.succeeded.map((succeeded, index) => ({
    at: new Date(Date.parse(from) + index * HOUR_MS).toISOString(),
    succeeded,
    failed: of.failed[index] ?? 0,
  }))
  const hour = read === undefined ? undefined : hours[read]
  const move = (event: KeyboardEvent) => {
    const next = nextIndex(event.key, read, hours.length)
    if (next === undefined) return
    event.preventDefault()
    setRead(next)
  }
  const readAt = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const at = Math.floor(((clientX - left) / width) * hours.length)
    setRead(Math.max(0, Math.min(at, hours.length - 1)))
  }
  return (
    <div className="hour-strip">
      <div
        className="plot"
        role="application"
        aria-label={fill(webhooks.strip, { endpoint: label })}
        aria-describedby={`${id}-hint`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read the hours.
        tabIndex={0}
        onKeyDown={move}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setRead(undefined)}
        onBlur={() => setRead(undefined)}
      >
        <Bars hours={hours} read={read} onRead={readAt} />
        <span className="unseen" id={`${id}-hint`}>
          {sumOf(hours)} {chart.hint}
        </span>
      </div>
      <div className="strip-foot">
        <output>{hour ? textOf(hour) : <span className="quiet">{sumOf(hours)}</span>}</output>
        <button type="button" className="quiet-button" onClick={() => setTable(true)}>
          {webhooks.hourTable}
          <span className="unseen"> · {label}</span>
        </button>
      </div>
      <Modal
        title={fill(webhooks.strip, { endpoint: label })}
        isOpen={isTable}
        onClose={() => setTable(false)}
        isWide
      >
        <div className="chart-table">
          <Table
            label={fill(webhooks.strip, { endpoint: label })}
            rows={hours.toReversed()}
            columns={COLUMNS}
            keyOf={({ at }) => at}
          />
        </div>
      </Modal>
    </div>
  )
}

const COLUMNS: readonly Column<Hour>[] = [
  { label: webhooks.hour, show: ({ at }) => formatDateTime(at) },
  { label: webhooks.succeeded, isNumber: true, show: ({ succeeded }) => formatNumber(succeeded) },
  { label: webhooks.failed, isNumber: true, show: ({ failed }) => formatNumber(failed) },
]

const textOf = ({ at, succeeded, failed }: Hour): string =>
  fill(webhooks.hourText, {
    hour: formatDateTime(at),
    succeeded: formatNumber(succeeded),
    failed: formatNumber(failed),
  })

const total = (hours: readonly Hour[], name: 'succeeded' | 'failed'): number =>
  hours.reduce((sum, hour) => sum + hour[name], 0)

const sumOf = (hours: readonly Hour[]): string =>
  fill(webhooks.hourSum, {
    succeeded: formatNumber(total(hours, 'succeeded')),
    failed: formatNumber(total(hours, 'failed')),
  })

interface BarsProps {
  hours: readonly Hour[]
  read: number | undefined
  onRead(event: PointerEvent<SVGSVGElement>): void
}

function Bars({ hours, read, onRead }: BarsProps) {
  const up = Math.max(1, ...hours.map(({ succeeded }) => succeeded))
  const down = Math.max(0, ...hours.map(({ failed }) => failed))
  const scale = HEIGHT / (up + down)
  const zero = up * scale
  const heightOf = (value: number) => (value === 0 ? 0 : Math.max(BAR_MIN, value * scale))
  return (
    <svg
      viewBox={`0 -2 ${hours.length * STEP} ${HEIGHT + 4}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      onPointerMove={onRead}
      onPointerDown={onRead}
    >
      {read !== undefined && (
        <rect className="read" x={read * STEP - 1} width={STEP + 2} y={-2} height={HEIGHT + 4} />
      )}
      <line className="zero" x1={0} x2={hours.length * STEP} y1={zero} y2={zero} />
      {hours.map(({ at, succeeded, failed }, index) => (
        <g key={at}>
          {succeeded > 0 && (
            <rect
              className="succeeded"
              x={index * STEP}
              width={STEP}
              y={zero - heightOf(succeeded)}
              height={heightOf(succeeded)}
            />
          )}
          {failed > 0 && (
            <rect
              className="failed"
              x={index * STEP}
              width={STEP}
              y={zero}
              height={heightOf(failed)}
            />
          )}
        </g>
      ))}
    </svg>
  )
}
