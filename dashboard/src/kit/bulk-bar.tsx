import { useEffect, useState } from 'react'
import { loadOpenedCode } from '../api/load-code.ts'
import { bulk as text } from '../text/bulk.ts'
import { fill } from '../text/catalogue.ts'
import { connection } from '../text/connection.ts'
import type { BulkAction, BulkBarProps, BulkWork } from './bulk.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { useMayWrite } from './form.tsx'
import { formatNumber } from './format.ts'
import { type ExportProps, ExportRows, isExported } from './list-export.tsx'
import type { SelectedRows } from './list-selection.ts'
import { SelectAll } from './select-all.tsx'

/** An action and the records to which it is applied. They stay the same while its dialog is open. */
interface Chosen<Row> {
  action: BulkAction<Row>
  rows: readonly Row[]
}

/** The number of selected records of a list, and the buttons that act on them. */
export function BulkBar<Row>(props: BulkBarProps<Row>) {
  const { bulk, selected, list, columns, keyOf, queryKey, hrefOf } = props
  const { actions, isMissing } = useActions(bulk)
  const [chosen, setChosen] = useState<Chosen<Row>>()
  if (selected.rows.length === 0 && !chosen) return null
  const applicable = actions.flatMap((action) => {
    const rows = selected.rows.filter(action.appliesTo)
    return rows.length > 0 ? [{ action, rows }] : []
  })
  return (
    <section className="selection-bar" aria-label={text.selection}>
      <span role="status">{selectedText(selected, list?.rows ?? [], keyOf)}</span>
      <button type="button" onClick={() => selected.select([])}>
        {text.none}
      </button>
      {columns.some(isExported) && (
        <ExportRows {...{ columns, keyOf }} name={queryKey.join('-')} rows={selected.rows} />
      )}
      {/* They are loaded after the buttons before them, which must not move under the pointer. */}
      {applicable.map((item) => (
        <button
          key={item.action.title}
          type="button"
          className={item.action.isDanger ? 'danger-outlined' : undefined}
          aria-haspopup="dialog"
          onClick={() => setChosen(item)}
        >
          {titleOf(item)}
        </button>
      ))}
      {actions.length > 0 && applicable.length === 0 && (
        <span className="secondary-text">{text.noAction}</span>
      )}
      {isMissing && <span role="alert">{connection.partMissing}</span>}
      {list && <SelectAll {...props} list={list} />}
      {chosen && (
        <BulkDialog
          {...chosen}
          {...{ bulk, selected, hrefOf, keyOf }}
          title={titleOf(chosen)}
          close={() => setChosen(undefined)}
        />
      )}
    </section>
  )
}

const titleOf = <Row,>({ action, rows }: Chosen<Row>): string =>
  fill(action.title, { n: formatNumber(rows.length) })

function selectedText<Row>(
  { rows, keys }: SelectedRows<Row>,
  shown: readonly Row[],
  keyOf: ExportProps<Row>['keyOf'],
): string {
  const elsewhere = rows.length - shown.filter((row) => keys.has(keyOf(row))).length
  const count = fill(text.chosen, { n: formatNumber(rows.length) })
  return elsewhere > 0 ? `${count}, ${fill(text.elsewhere, { n: formatNumber(elsewhere) })}` : count
}

/** The actions that the role allows, once they are loaded. */
function useActions<Row>({ area, load }: BulkWork<Row>) {
  const isAllowed = useMayWrite(area)
  const [actions, setActions] = useState<readonly BulkAction<Row>[]>([])
  const [isMissing, setMissing] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions of a list are loaded once.
  useEffect(() => {
    if (isAllowed) loadOpenedCode(load).then(setActions, () => setMissing(true))
  }, [isAllowed])
  return { actions, isMissing }
}
