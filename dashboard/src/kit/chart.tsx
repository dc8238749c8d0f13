import { type ReactNode, useId, useState } from 'react'
import { chart as texts } from '../text/chart.ts'
import { common } from '../text/common.ts'
import { Plot } from './chart-plot.tsx'
import { type Unit, withUnit } from './chart-units.ts'
import { downloadCsv } from './csv.ts'
import { type Column, Table } from './list.tsx'

export interface ChartPoint {
  /** Unique, and the name of the point in an exported file, such as `2026-11-03`. */
  key: string
  /** The name of the point, such as "Tue 3 Nov 2026". */
  label: string
  /** A short name for the scale, such as "3 Nov". */
  tick: string
  value: number
  /** The point that it is compared with. */
  before?: { key: string; label: string; value: number }
}

export interface ChartProps {
  /** The name of the values, such as "Net sales". */
  label: string
  /** The name of the points, such as "Day". */
  pointLabel: string
  /** The name of the comparison, such as "Period before". */
  beforeLabel?: string
  /** A line, bars, or bars without scales in one low strip. */
  kind: 'line' | 'bars' | 'strip'
  points: readonly ChartPoint[]
  unit: Unit
  /** The name of the exported file. */
  file: string
  /** Controls on the left of the switch. */
  children?: ReactNode
}

/**
 * Values over time, as a picture that is read with the pointer or the arrow keys, and as the same values in
 * a table and a file.
 */
export function Chart(props: ChartProps) {
  const [isTable, setTable] = useState(false)
  const columns = columnsOf(props)
  return (
    <div className="chart">
      <div className="chart-tools">
        <div className="chart-controls">{props.children}</div>
        <fieldset className="switch">
          <legend className="unseen">{texts.view}</legend>
          <button type="button" aria-pressed={!isTable} onClick={() => setTable(false)}>
            {common.chartView}
          </button>
          <button type="button" aria-pressed={isTable} onClick={() => setTable(true)}>
            {common.tableView}
          </button>
        </fieldset>
        <button type="button" onClick={() => downloadCsv(props.file, columns, props.points)}>
          {common.exportCsv}
        </button>
      </div>
      {isTable ? (
        <div className="chart-table">
          <Table
            label={props.label}
            rows={props.points}
            columns={columns}
            keyOf={({ key }) => key}
          />
        </div>
      ) : (
        <Reading {...props} />
      )}
    </div>
  )
}

function columnsOf({ label, pointLabel, beforeLabel, points, unit }: ChartProps) {
  const columns: Column<ChartPoint>[] = [
    { label: pointLabel, show: (point) => point.label, text: ({ key }) => key },
    {
      label: withUnit(label, unit),
      isNumber: true,
      show: ({ value }) => <span className="money">{unit.format(value)}</span>,
      text: ({ value }) => unit.exported(value),
    },
  ]
  if (beforeLabel === undefined || points.every(({ before }) => !before)) return columns
  return [
    ...columns,
    {
      label: `${beforeLabel}: ${pointLabel}`,
      show: ({ before }: ChartPoint) => before?.label ?? '–',
      text: ({ before }: ChartPoint) => before?.key ?? null,
    },
    {
      label: `${beforeLabel}: ${withUnit(label, unit)}`,
      isNumber: true,
      show: ({ before }: ChartPoint) => (
        <span className="money">{before ? unit.format(before.value) : '–'}</span>
      ),
      text: ({ before }: ChartPoint) => (before ? unit.exported(before.value) : null),
    },
  ]
}

/** The picture, with the value of the point that is read below it. */
function Reading(props: ChartProps) {
  const { label, points, kind, unit, beforeLabel } = props
  const id = useId()
  const [read, setRead] = useState<number>()
  const index = read === undefined ? undefined : Math.min(read, points.length - 1)
  const point = index === undefined ? undefined : points[index]
  const move = (event: React.KeyboardEvent) => {
    const next = nextIndex(event.key, index, points.length)
    if (next === undefined) return
    event.preventDefault()
    setRead(next)
  }
  return (
    <>
      <Legend {...props} />
      <div
        className="plot"
        role="application"
        aria-label={`${withUnit(label, unit)}. ${texts.chart}`}
        aria-describedby={`${id}-hint`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read the points.
        tabIndex={0}
        onKeyDown={move}
        // A touch ends when the finger is lifted; its value stays readable.
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setRead(undefined)}
        onBlur={() => setRead(undefined)}
      >
        <Plot kind={kind} points={points} unit={unit} index={index} onRead={setRead} />
      </div>
      <output className="reading">
        {point ? (
          <>
            {point.label}: <strong>{unit.format(point.value)}</strong>
            {point.before && (
              <span className="quiet">
                {' '}
                · {beforeLabel}, {point.before.label}: {unit.format(point.before.value)}
              </span>
            )}
          </>
        ) : (
          <span className="quiet" id={`${id}-hint`}>
            {texts.hint}
          </span>
        )}
      </output>
    </>
  )
}

/** The point that a key moves to; undefined for other keys. */
export function nextIndex(
  key: string,
  index: number | undefined,
  length: number,
): number | undefined {
  const last = length - 1
  if (key === 'ArrowRight') return Math.min((index ?? -1) + 1, last)
  if (key === 'ArrowLeft') return Math.max((index ?? length) - 1, 0)
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}

function Legend({ label, beforeLabel, points, kind, unit }: ChartProps) {
  if (beforeLabel === undefined || !points.some(({ before }) => before)) {
    return kind === 'strip' ? null : <p className="legend">{withUnit(label, unit)}</p>
  }
  return (
    <p className="legend">
      <span>
        <svg width="24" height="10" aria-hidden="true">
          {kind === 'line' ? (
            <line className="line" x1="0" x2="24" y1="5" y2="5" />
          ) : (
            <rect className="bar" x="6" width="12" height="10" />
          )}
        </svg>
        {withUnit(label, unit)}
      </span>
      <span>
        <svg width="24" height="10" aria-hidden="true">
          <line className="before" x1="0" x2="24" y1="5" y2="5" />
        </svg>
        {beforeLabel}
      </span>
    </p>
  )
}
