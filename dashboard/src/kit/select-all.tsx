import { useEffect, useRef, useState } from 'react'
import { useStore } from '../api/store.ts'
import { bulk as text } from '../text/bulk.ts'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import type { BulkBarProps } from './bulk.ts'
import { useConnection } from './connection.tsx'
import { formatNumber } from './format.ts'
import type { ListAnswer } from './list-answer.ts'
import { readRows } from './read-rows.ts'
import { Failure } from './states.tsx'

/** The maximum number of records that are selected at once. Each is changed by a request of its own. */
const SELECTED_MAX = 1_000

/** True if the list has records that are not on the shown page and may not be selected yet. */
const hasOthers = <Row,>(list: ListAnswer<Row>, selectedCount: number): boolean =>
  list.total === undefined
    ? list.has_more === true || list.next_cursor != null
    : list.total > selectedCount

/** Offers to select all records that match the filters, once all of the page are selected. */
export function SelectAll<Row>(props: BulkBarProps<Row> & { list: ListAnswer<Row> }) {
  const { selected, list, keyOf, query } = props
  const { state, run, stop } = useReading(props)
  const { isSilent } = useConnection()
  const queryText = JSON.stringify(query)
  if (state?.isRunning) {
    const counts = {
      done: formatNumber(state.readCount),
      total: formatNumber(Math.min(list.total ?? 0, SELECTED_MAX)),
    }
    return (
      <p className="select-all">
        <span role="status">
          {fill(list.total === undefined ? text.readingUncounted : text.reading, counts)}
          {isSilent && ` · ${text.silent}`}
        </span>
        <button type="button" onClick={stop}>
          {text.stop}
        </button>
      </p>
    )
  }
  if (state?.error) return <Failure error={state.error} retry={run} />
  if (state?.queryText === queryText && selected.rows.length === state.readCount) {
    if (!state.isCut) return null
    return (
      <p className="select-all">{fill(text.mostSelected, { n: formatNumber(SELECTED_MAX) })}</p>
    )
  }
  const isPageSelected =
    list.rows.length > 0 && list.rows.every((row) => selected.keys.has(keyOf(row)))
  if (!isPageSelected) {
    // A narrow screen shows rows as cards, without the heading that selects all of the page.
    return (
      <button
        type="button"
        className="narrow-only"
        onClick={() => selected.choose(list.rows, true)}
      >
        {common.chooseAll}
      </button>
    )
  }
  if (!hasOthers(list, selected.rows.length)) return null
  return (
    <p className="select-all">
      {fill(text.onPage, { n: formatNumber(list.rows.length) })}{' '}
      <button type="button" className="text-button" onClick={run}>
        {list.total === undefined
          ? text.selectAllUncounted
          : fill(text.selectAll, { n: formatNumber(list.total) })}
      </button>
    </p>
  )
}

interface Reading {
  /** The query whose records are read, as text. */
  queryText: string
  readCount: number
  isRunning: boolean
  /** True if more records match than can be selected. */
  isCut?: boolean
  error?: unknown
}

/** The reason of a reading that was stopped while the server was silent. It selects nothing. */
const GIVEN_UP = Symbol('given up')

/** Reads all records that match, and selects them. Records that were read before a stop are selected too. */
function useReading<Row>({ read, query, selected }: BulkBarProps<Row>) {
  const store = useStore()
  const [state, setState] = useState<Reading>()
  const isStopped = useRef(false)
  const giveUp = useRef(() => {})
  const { isSilent } = useConnection()
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )
  const run = async () => {
    isStopped.current = false
    const queryText = JSON.stringify(query)
    setState({ queryText, readCount: 0, isRunning: true })
    const givenUp = new Promise<never>((_, reject) => {
      giveUp.current = () => reject(GIVEN_UP)
    })
    try {
      const { rows, isIncomplete } = await readRows(
        (position) => Promise.race([read(store, { ...query, ...position }), givenUp]),
        {
          max: SELECTED_MAX,
          onPage(readCount) {
            setState({ queryText, readCount, isRunning: true })
            return !isStopped.current
          },
        },
      )
      selected.select(rows)
      const isCut = isIncomplete && rows.length === SELECTED_MAX
      // After a stop, the rest can be selected again.
      setState(
        isIncomplete && !isCut
          ? undefined
          : { queryText, readCount: rows.length, isRunning: false, isCut },
      )
    } catch (error) {
      setState(
        error === GIVEN_UP ? undefined : { queryText, readCount: 0, isRunning: false, error },
      )
    }
  }
  return {
    state,
    run: () => void run(),
    stop: () => {
      isStopped.current = true
      // The present page, which a silent server does not send, is not waited for.
      if (isSilent) giveUp.current()
    },
  }
}
