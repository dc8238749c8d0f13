import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import type { WebhookHours } from '../../api/dashboard.ts'
import { nextIndex } from '../../kit/chart.tsx'
import { formatDateTime, formatNumber } from '../../kit/format.ts'
import { type Column, Table } from '../../kit/list.tsx'
import { Modal } from '../../kit/modal.tsx'
import { fill } from '../../text/catalogue.ts'
import { chart } from '../../text/chart.ts'
import { webhooks } from '../../text/webhooks.ts'

const HOUR_MS = 3_600_000
const HEIGHT = 28
/** The width of an hour in the picture. The picture is scaled to its container. */
const STEP = 2
/** The minimum height of a bar, so that a value other than 0 is visible. */
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
  counts: WebhookHours
  /** The number of deliveries by status, also of pending ones. */
  summary: string
}

/**
 * The deliveries of an endpoint in 168 hours: bars up for successes, bars down for failures. The
 * arrow keys read the hours, and a table has the same values.
 */
export function HourStrip({ label, from, counts, summary }: HourStripProps) {
  const id = useId()
  const [hourIndex, setHourIndex] = useState<number>()
  const [isTable, setTable] = useState(false)
  const hours = counts.succeeded.map((succeeded, index) => ({
    at: new Date(Date.parse(from) + index * HOUR_MS).toISOString(),
    succeeded,
    failed: counts.failed[index] ?? 0,
  }))
  const hour = hourIndex === undefined ? undefined : hours[hourIndex]
  const move = (event: KeyboardEvent) => {
    const next = nextIndex(event.key, hourIndex, hours.length)
    if (next === undefined) return
    event.preventDefault()
    setHourIndex(next)
  }
  const selectAt = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const at = Math.floor(((clientX - left) / width) * hours.length)
    setHourIndex(Math.max(0, Math.min(at, hours.length - 1)))
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
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setHourIndex(undefined)}
        onBlur={() => setHourIndex(undefined)}
      >
        <Bars hours={hours} hourIndex={hourIndex} onSelect={selectAt} />
        <span className="visually-hidden" id={`${id}-hint`}>
          {summary}. {chart.hint}
        </span>
      </div>
      <div className="hour-strip-foot">
        <output>{hour ? textOf(hour) : <span className="secondary-text">{summary}</span>}</output>
        <button
          type="button"
          className="text-button"
          aria-haspopup="dialog"
          onClick={() => setTable(true)}
        >
          {webhooks.hourTable}
          <span className="visually-hidden"> · {label}</span>
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
  {
    label: webhooks.succeeded,
    isRightAligned: true,
    show: ({ succeeded }) => formatNumber(succeeded),
  },
  { label: webhooks.failed, isRightAligned: true, show: ({ failed }) => formatNumber(failed) },
]

const textOf = ({ at, succeeded, failed }: Hour): string =>
  fill(webhooks.hourText, {
    hour: formatDateTime(at),
    succeeded: formatNumber(succeeded),
    failed: formatNumber(failed),
  })

interface BarsProps {
  hours: readonly Hour[]
  hourIndex: number | undefined
  onSelect(event: PointerEvent<SVGSVGElement>): void
}

function Bars({ hours, hourIndex, onSelect }: BarsProps) {
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
      onPointerMove={onSelect}
      onPointerDown={onSelect}
    >
      {hourIndex !== undefined && (
        <rect
          className="shown-point"
          x={hourIndex * STEP - 1}
          width={STEP + 2}
          y={-2}
          height={HEIGHT + 4}
        />
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
