import { type ScaleLinear, scaleBand, scaleLinear } from 'd3-scale'
import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import type { ChartKind, ChartPoint } from './chart-point.ts'
import type { Unit } from './chart-units.ts'

const HEIGHT = { line: 220, bars: 200, strip: 36 }
const MARGIN = { top: 8, right: 8, bottom: 24 }
const LETTER_WIDTH = 7
const TICK_GAP = 20
/** The minimum height of a bar, in pixels, so that a value other than 0 is visible. */
const BAR_HEIGHT_MIN = 1.5

interface PlotProps {
  kind: ChartKind
  points: readonly ChartPoint[]
  unit: Unit
  /** The index of the point whose value is shown. */
  shownIndex: number | undefined
  onSelect(index: number): void
}

type LinearScale = ScaleLinear<number, number>

interface Geometry {
  width: number
  height: number
  left: number
  bottom: number
  /** The x coordinate of a point's middle. */
  x(index: number): number
  barWidth: number
  y: LinearScale
}

/**
 * The drawing of a chart, as wide as its container. Screen readers read the values from the text
 * next to the drawing.
 */
export function Plot({ kind, points, unit, shownIndex, onSelect }: PlotProps) {
  const [ref, width] = useWidth()
  const geometry = geometryOf(kind, points, unit, width)
  const selectAt = (event: PointerEvent<SVGSVGElement>) => {
    const pointerX = event.clientX - event.currentTarget.getBoundingClientRect().left
    const pointWidth = (width - geometry.left - MARGIN.right) / Math.max(points.length, 1)
    const nearest = Math.floor((pointerX - geometry.left) / pointWidth)
    onSelect(Math.max(0, Math.min(nearest, points.length - 1)))
  }
  return (
    <div ref={ref}>
      <svg
        width={width}
        height={geometry.height}
        aria-hidden="true"
        onPointerMove={selectAt}
        onPointerDown={selectAt}
      >
        {kind !== 'strip' && <Axes geometry={geometry} points={points} unit={unit} />}
        {shownIndex !== undefined && (
          <rect
            className="shown-point"
            x={geometry.x(shownIndex) - Math.max(geometry.barWidth, 2) / 2 - 2}
            width={Math.max(geometry.barWidth, 2) + 4}
            y={kind === 'strip' ? 0 : MARGIN.top}
            height={geometry.bottom - (kind === 'strip' ? 0 : MARGIN.top)}
          />
        )}
        {kind === 'line' ? (
          <Lines geometry={geometry} points={points} shownIndex={shownIndex} />
        ) : (
          <Bars geometry={geometry} points={points} />
        )}
      </svg>
    </div>
  )
}

function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => setWidth(Math.floor(element.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width] as const
}

const ticksOf = (y: LinearScale): number[] => y.ticks(4).filter((tick) => Number.isInteger(tick))

function geometryOf(
  kind: PlotProps['kind'],
  points: readonly ChartPoint[],
  unit: Unit,
  width: number,
): Geometry {
  const height = HEIGHT[kind]
  const isStrip = kind === 'strip'
  const bottom = isStrip ? height : height - MARGIN.bottom
  const values = points.flatMap(({ value, comparison }) =>
    comparison ? [value, comparison.value] : [value],
  )
  const minValue = Math.min(0, ...values)
  const maxValue = Math.max(0, ...values)
  const y = scaleLinear()
    .domain([minValue, maxValue === minValue ? 1 : maxValue])
    .range([bottom, isStrip ? 0 : MARGIN.top])
  if (!isStrip) y.nice(4)
  const longestTick = Math.max(...ticksOf(y).map((tick) => unit.tick(tick).length))
  const left = isStrip ? 0 : longestTick * LETTER_WIDTH + 8
  const band = scaleBand<number>()
    .domain(points.map((_, index) => index))
    .range([left, Math.max(left, width - MARGIN.right)])
    .paddingInner(points.length > 60 ? 0.1 : 0.25)
  const middle = band.bandwidth() / 2
  return {
    ...{ width, height, left, bottom, y },
    x: (index) => (band(index) ?? left) + middle,
    barWidth: kind === 'line' ? 1 : band.bandwidth(),
  }
}

interface DrawingProps {
  geometry: Geometry
  points: readonly ChartPoint[]
}

function Axes({ geometry, points, unit }: DrawingProps & { unit: Unit }) {
  const { width, left, bottom, x, y } = geometry
  const tickWidth = Math.max(0, ...points.map(({ tick }) => tick.length)) * LETTER_WIDTH + TICK_GAP
  // The first and the last label are moved by less than the gap, to stay inside the picture.
  const halfTick = (tickWidth - TICK_GAP) / 2
  const labelsMax = Math.max(1, Math.floor((width - left) / tickWidth))
  const labelInterval = Math.ceil(points.length / labelsMax)
  const isEmpty = points.every(
    ({ value, comparison }) => value === 0 && (comparison?.value ?? 0) === 0,
  )
  const ticks = isEmpty ? [0] : ticksOf(y)
  return (
    <g className="scales">
      {ticks.map((tick) => (
        <g key={tick} className={tick === 0 ? 'zero' : undefined}>
          <line x1={left} x2={width - MARGIN.right} y1={y(tick)} y2={y(tick)} />
          <text x={left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
            {unit.tick(tick)}
          </text>
        </g>
      ))}
      {points.map(
        (point, index) =>
          index % labelInterval === 0 && (
            <text
              key={point.key}
              x={Math.max(halfTick, Math.min(x(index), width - halfTick))}
              y={bottom + 16}
              textAnchor="middle"
            >
              {point.tick}
            </text>
          ),
      )}
    </g>
  )
}

/** The path of a line through positions. The line is interrupted where a position is missing. */
function linePath(positions: readonly (string | undefined)[]): string {
  const steps = positions.map((position, index) => {
    if (position === undefined) return ''
    if (positions[index - 1] !== undefined) return `L${position}`
    // A closed line of one position is drawn as a dot.
    return `M${position}${positions[index + 1] === undefined ? 'Z' : ''}`
  })
  return steps.join('')
}

function Lines({
  geometry: { x, y },
  points,
  shownIndex,
}: DrawingProps & { shownIndex: number | undefined }) {
  const pathOf = (valueAt: (point: ChartPoint) => number | undefined) =>
    linePath(
      points.map((point, index) => {
        const value = valueAt(point)
        return value === undefined ? undefined : `${x(index).toFixed(2)},${y(value).toFixed(2)}`
      }),
    )
  const shownPoint = shownIndex === undefined ? undefined : points[shownIndex]
  return (
    <>
      <path className="before" d={pathOf(({ comparison }) => comparison?.value)} />
      <path className="line" d={pathOf(({ value }) => value)} />
      {shownPoint && shownIndex !== undefined && (
        <circle className="dot" cx={x(shownIndex)} cy={y(shownPoint.value)} r={4} />
      )}
    </>
  )
}

function Bars({ geometry: { x, y, barWidth }, points }: DrawingProps) {
  return points.map(({ key, value, comparison }, index) => {
    const left = x(index) - barWidth / 2
    const barHeight = Math.max(Math.abs(y(value) - y(0)), value === 0 ? 0 : BAR_HEIGHT_MIN)
    return (
      <g key={key}>
        <rect
          className="bar"
          x={left}
          width={barWidth}
          y={value < 0 ? y(0) : y(0) - barHeight}
          height={barHeight}
        />
        {comparison && (
          <line
            className="before"
            x1={left - 1}
            x2={left + barWidth + 1}
            y1={y(comparison.value)}
            y2={y(comparison.value)}
          />
        )}
      </g>
    )
  })
}
