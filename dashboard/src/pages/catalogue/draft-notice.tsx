import { Action } from '../../kit/action.tsx'
import { type Draft, fieldsChangedSince } from '../../kit/draft.ts'
import { EditAction, type EditActionProps } from '../../kit/edit-action.tsx'
import type { FormValues } from '../../kit/fields.tsx'
import { formatNumber } from '../../kit/format.ts'
import { listAnd } from '../../kit/words.ts'
import { fill } from '../../text/catalogue.ts'
import { products } from '../../text/products.ts'

interface DraftNoticeProps<Item>
  extends Pick<EditActionProps<Item>, 'record' | 'read' | 'fields' | 'request' | 'children'> {
  draft: Draft
  /** The values of the record now. */
  current: FormValues
  /** True if buyers see the product, so that saving publishes the changes. */
  isLive: boolean
  discard: () => void
}

/** Lists the changes that were not published, with the buttons that publish or discard them. */
export function DraftNotice<Item>(props: DraftNoticeProps<Item>) {
  const { draft, fields, record, read, current, isLive, request, discard } = props
  const shownFields = record === null ? [] : fields(record)
  const labelsOf = (names: readonly string[]) =>
    listAnd(names.map((name) => shownFields.find((field) => field.name === name)?.label ?? name))
  const names = Object.keys(draft.values)
  const changedSince = fieldsChangedSince(draft, current)
  const publishLabel = isLive ? products.publishChanges : products.saveChanges
  return (
    <div className="notice" role="status">
      <p>
        {fill(isLive ? products.unpublished : products.unsaved, { fields: labelsOf(names) })}{' '}
        {changedSince.length > 0 && fill(products.changedSince, { fields: labelsOf(changedSince) })}
      </p>
      <div className="actions">
        {/* The form compares the record with what was shown when the draft was typed. */}
        <EditAction
          label={publishLabel}
          isPrimary
          record={record}
          read={read}
          fields={(item) => fields(item).filter(({ name }) => names.includes(name))}
          before={draft.base}
          draft={draft.values}
          lead={<p>{fill(products.publishChangesLead, { fields: labelsOf(names) })}</p>}
          onTakeTheirs={discard}
          submit={publishLabel}
          keepsTyped
          request={request}
        >
          {props.children}
        </EditAction>
        <Action
          label={products.discard}
          isDanger
          lead={<p>{fill(products.discardLead, { n: formatNumber(names.length) })}</p>}
          submit={products.discard}
          request={() => ({ area: 'products', method: 'DELETE', send: async () => discard() })}
        />
      </div>
    </div>
  )
}
