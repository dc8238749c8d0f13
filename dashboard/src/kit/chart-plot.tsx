import { type ScaleLinear, scaleBand, scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import type { ChartPoint, ChartProps } from './chart.tsx'
import type { Unit } from './chart-units.ts'

const HEIGHT = { line: 220, bars: 200, strip: 36 }
const MARGIN = { top: 8, right: 8, bottom: 24 }
const LETTER = 7
const TICK_GAP = 20
/** A bar of a value other than 0 is never invisible. */
const BAR_MIN = 1.5

interface PlotProps extends Pick<ChartProps, 'kind' | 'points' | 'unit'> {
  /** The point that is read. */
  index: number | undefined
  onRead(index: number): void
}

type Linear = ScaleLinear<number, number>

interface Frame {
  width: number
  height: number
  left: number
  bottom: number
  /** The middle of a point. */
  x(index: number): number
  /** The width of a bar. */
  bar: number
  y: Linear
}

/** The drawing of a chart, as wide as its container. Screen readers read the values next to it. */
export function Plot({ kind, points, unit, index, onRead }: PlotProps) {
  const [ref, width] = useWidth()
  const frame = frameOf(kind, points, unit, width)
  const readAt = (event: PointerEvent<SVGSVGElement>) => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left
    const step = (width - frame.left - MARGIN.right) / Math.max(points.length, 1)
    const nearest = Math.floor((at - frame.left) / step)
    onRead(Math.max(0, Math.min(nearest, points.length - 1)))
  }
  return (
    <div ref={ref}>
      <svg
        width={width}
        height={frame.height}
        aria-hidden="true"
        onPointerMove={readAt}
        onPointerDown={readAt}
      >
        {kind !== 'strip' && <Scales frame={frame} points={points} unit={unit} />}
        {index !== undefined && (
          <rect
            className="read"
            x={frame.x(index) - Math.max(frame.bar, 2) / 2 - 2}
            width={Math.max(frame.bar, 2) + 4}
            y={kind === 'strip' ? 0 : MARGIN.top}
            height={frame.bottom - (kind === 'strip' ? 0 : MARGIN.top)}
          />
        )}
        {kind === 'line' ? (
          <Lines frame={frame} points={points} index={index} />
        ) : (
          <Bars frame={frame} points={points} />
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

const ticksOf = (y: Linear): number[] => y.ticks(4).filter((tick) => Number.isInteger(tick))

function frameOf(
  kind: PlotProps['kind'],
  points: readonly ChartPoint[],
  unit: Unit,
  width: number,
): Frame {
  const height = HEIGHT[kind]
  const isStrip = kind === 'strip'
  const bottom = isStrip ? height : height - MARGIN.bottom
  const values = points.flatMap(({ value, before }) => (before ? [value, before.value] : [value]))
  const least = Math.min(0, ...values)
  const most = Math.max(0, ...values)
  const y = scaleLinear()
    .domain([least, most === least ? 1 : most])
    .range([bottom, isStrip ? 0 : MARGIN.top])
  if (!isStrip) y.nice(4)
  const longest = Math.max(...ticksOf(y).map((tick) => unit.tick(tick).length))
  const left = isStrip ? 0 : longest * LETTER + 8
  const band = scaleBand<number>()
    .domain(points.map((_, index) => index))
    .range([left, Math.max(left, width - MARGIN.right)])
    .paddingInner(points.length > 60 ? 0.1 : 0.25)
  const middle = band.bandwidth() / 2
  return {
    ...{ width, height, left, bottom, y },
    x: (index) => (band(index) ?? left) + middle,
    bar: kind === 'line' ? 1 : band.bandwidth(),
  }
}

interface DrawnProps {
  frame: Frame
  points: readonly ChartPoint[]
}

function Scales({ frame, points, unit }: DrawnProps & { unit: Unit }) {
  const { width, left, bottom, x, y } = frame
  const tickWidth = Math.max(0, ...points.map(({ tick }) => tick.length)) * LETTER + TICK_GAP
  const shown = Math.max(1, Math.floor((width - left) / tickWidth))
  const every = Math.ceil(points.length / shown)
  const isEmpty = points.every(({ value, before }) => value === 0 && (before?.value ?? 0) === 0)
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
          index % every === 0 && (
            <text
              key={point.key}
              x={x(index)}
              y={bottom + 16}
              textAnchor={anchorOf(frame, index, tickWidth)}
            >
              {point.tick}
            </text>
          ),
      )}
    </g>
  )
}

/** Names at the edges stay inside of the picture. */
function anchorOf({ x, width }: Frame, index: number, tickWidth: number) {
  if (x(index) < tickWidth / 2) return 'start'
  return width - x(index) < tickWidth / 2 ? 'end' : 'middle'
}

function Lines({ frame: { x, y }, points, index }: DrawnProps & { index: number | undefined }) {
  const draw = line<ChartPoint>().x((_, at) => x(at))
  const point = index === undefined ? undefined : points[index]
  return (
    <>
      <path
        className="before"
        d={
          draw
            .defined(({ before }) => before !== undefined)
            .y(({ before }) => y(before?.value ?? 0))(points) ?? ''
        }
      />
      <path
        className="line"
        d={draw.defined(() => true).y(({ value }) => y(value))(points) ?? ''}
      />
      {point && index !== undefined && (
        <circle className="dot" cx={x(index)} cy={y(point.value)} r={4} />
      )}
    </>
  )
}

function Bars({ frame: { x, y, bar }, points }: DrawnProps) {
  return points.map(({ key, value, before }, index) => {
    const from = x(index) - bar / 2
    const high = Math.max(Math.abs(y(value) - y(0)), value === 0 ? 0 : BAR_MIN)
    return (
      <g key={key}>
        <rect
          className="bar"
          x={from}
          width={bar}
          y={value < 0 ? y(0) : y(0) - high}
          height={high}
        />
        {before && (
          <line
            className="before"
            x1={from - 1}
            x2={from + bar + 1}
            y1={y(before.value)}
            y2={y(before.value)}
          />
        )}
      </g>
    )
  })
}
