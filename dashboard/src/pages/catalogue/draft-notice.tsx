import type { Request } from '../../api/action.ts'
import { Action } from '../../kit/action.tsx'
import { type Draft, fieldsChangedSince } from '../../kit/draft.ts'
import { type Field, type FormValues, fieldsToCorrect } from '../../kit/fields.tsx'
import { formatNumber } from '../../kit/format.ts'
import { listAnd } from '../../kit/words.ts'
import { fill } from '../../text/catalogue.ts'
import { products } from '../../text/products.ts'

interface DraftNoticeProps {
  draft: Draft
  fields: readonly Field[]
  /** The values of the record now. */
  current: FormValues
  /** True if buyers see the product, so that saving publishes the changes. */
  isLive: boolean
  /** Returns the request that saves the draft with these corrected values. */
  publish: (corrected: FormValues) => Request
  discard: () => void
}

/** Lists the changes that were not published, with the buttons that publish or discard them. */
export function DraftNotice(props: DraftNoticeProps) {
  const { draft, fields, current, isLive, publish, discard } = props
  const labelsOf = (names: readonly string[]) =>
    listAnd(names.map((name) => fields.find((field) => field.name === name)?.label ?? name))
  const names = Object.keys(draft.values)
  const changedSince = fieldsChangedSince(draft, current)
  return (
    <div className="notice" role="status">
      <p>
        {fill(isLive ? products.unpublished : products.unsaved, { fields: labelsOf(names) })}{' '}
        {changedSince.length > 0 && fill(products.changedSince, { fields: labelsOf(changedSince) })}
      </p>
      <div className="actions">
        <Action
          label={isLive ? products.publishChanges : products.saveChanges}
          isPrimary
          lead={<p>{fill(products.publishChangesLead, { fields: labelsOf(names) })}</p>}
          // The form of this dialog refuses these fields in its own words, and they can be corrected in it.
          fields={fieldsToCorrect(fields, draft.values).map((field) => ({
            ...field,
            value: draft.values[field.name],
          }))}
          submit={isLive ? products.publishChanges : products.saveChanges}
          request={publish}
        />
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
