import { type ReactNode, useId, useState } from 'react'
import { chart as texts } from '../text/chart.ts'
import { common } from '../text/common.ts'
import { Plot } from './chart-plot.tsx'
import type { ChartKind, ChartPoint } from './chart-point.ts'
import { type Unit, withUnit } from './chart-units.ts'
import { CsvButton } from './csv-button.tsx'
import { type Column, Table } from './table.tsx'

interface ChartProps {
  /** The name of the values, such as "Net sales". */
  label: string
  /** The name of the points, such as "Day". */
  pointLabel: string
  /** The name of the comparison, such as "Previous period". */
  comparisonLabel?: string
  kind: ChartKind
  points: readonly ChartPoint[]
  unit: Unit
  /** The name of the exported file. */
  file: string
  /** Controls to the left of the view switch. */
  children?: ReactNode
}

/**
 * Values over time, as a picture and as a table and a file with the same values. The picture is
 * read with the pointer or the arrow keys.
 */
export function Chart(props: ChartProps) {
  const [isTable, setTable] = useState(false)
  const columns = columnsOf(props)
  return (
    <div className="chart">
      <div className="chart-tools">
        <div className="chart-controls">{props.children}</div>
        <fieldset className="button-group">
          <legend className="visually-hidden">{`${texts.view}: ${props.label}`}</legend>
          <button type="button" aria-pressed={!isTable} onClick={() => setTable(false)}>
            {common.chartView}
          </button>
          <button type="button" aria-pressed={isTable} onClick={() => setTable(true)}>
            {common.tableView}
          </button>
        </fieldset>
        <CsvButton file={props.file} columns={columns} rows={props.points} />
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
        <SelectablePlot {...props} />
      )}
    </div>
  )
}

function columnsOf({ label, pointLabel, comparisonLabel, points, unit }: ChartProps) {
  const columns: Column<ChartPoint>[] = [
    { label: pointLabel, show: (point) => point.label, text: ({ key }) => key },
    {
      label: withUnit(label, unit),
      isRightAligned: true,
      show: ({ value }) => <span className="money">{unit.format(value)}</span>,
      text: ({ value }) => unit.exported(value),
    },
  ]
  if (comparisonLabel === undefined || points.every(({ comparison }) => !comparison)) return columns
  return [
    ...columns,
    {
      label: `${comparisonLabel}: ${pointLabel}`,
      show: ({ comparison }: ChartPoint) => comparison?.label ?? '–',
      text: ({ comparison }: ChartPoint) => comparison?.key ?? null,
    },
    {
      label: `${comparisonLabel}: ${withUnit(label, unit)}`,
      isRightAligned: true,
      show: ({ comparison }: ChartPoint) => (
        <span className="money">{comparison ? unit.format(comparison.value) : '–'}</span>
      ),
      text: ({ comparison }: ChartPoint) => (comparison ? unit.exported(comparison.value) : null),
    },
  ]
}

/** The picture, with the value of the selected point below it. */
function SelectablePlot(props: ChartProps) {
  const { label, points, kind, unit, comparisonLabel } = props
  const id = useId()
  const [selectedIndex, setSelectedIndex] = useState<number>()
  const shownIndex =
    selectedIndex === undefined ? undefined : Math.min(selectedIndex, points.length - 1)
  const point = shownIndex === undefined ? undefined : points[shownIndex]
  const move = (event: React.KeyboardEvent) => {
    const next = nextIndex(event.key, shownIndex, points.length)
    if (next === undefined) return
    event.preventDefault()
    setSelectedIndex(next)
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
        // A touch ends when the finger is lifted, but its value stays readable.
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setSelectedIndex(undefined)}
        onBlur={() => setSelectedIndex(undefined)}
      >
        <Plot
          kind={kind}
          points={points}
          unit={unit}
          shownIndex={shownIndex}
          onSelect={setSelectedIndex}
        />
      </div>
      <output className="reading">
        {point ? (
          <>
            {point.label}: <strong>{unit.format(point.value)}</strong>
            {point.comparison && (
              <span className="secondary-text">
                {' '}
                · {comparisonLabel}, {point.comparison.label}: {unit.format(point.comparison.value)}
              </span>
            )}
          </>
        ) : (
          <span className="secondary-text" id={`${id}-hint`}>
            {texts.hint}
          </span>
        )}
      </output>
    </>
  )
}

/** The point that a key moves to; undefined for keys that do not move. */
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

function Legend({ label, comparisonLabel, points, kind, unit }: ChartProps) {
  if (comparisonLabel === undefined || !points.some(({ comparison }) => comparison)) {
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
        {comparisonLabel}
      </span>
    </p>
  )
}
