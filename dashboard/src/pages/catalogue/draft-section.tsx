import { type ReactNode, useState } from 'react'
import type { Request } from '../../api/action.ts'
import type { Product, StoreContext } from '../../api/store.ts'
import { Autosave, type Draft, useDraft } from '../../kit/draft.ts'
import { EditAction, initialValues } from '../../kit/edit-action.tsx'
import { EditInPlace } from '../../kit/edit-in-place.tsx'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { Facts, Section } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { products } from '../../text/products.ts'
import { DraftNotice } from './draft-notice.tsx'

interface DraftSectionProps<Item> {
  title: string
  /** The title of the dialog. */
  dialogTitle: string
  product: Product
  part: 'basics' | 'texts' | 'delivery' | 'seo'
  /** The part of the product that the form changes. */
  record: Item
  read: (store: StoreContext) => PromiseLike<Item>
  fields: (item: Item) => readonly Field[]
  /** The request that saves the changed fields. */
  request: (changed: FormValues) => Request
  isAllowed: boolean
  facts: readonly Fact[]
  children?: ReactNode
}

/** A value of a section, with the name of its field if it can be changed where it is shown. */
type Fact = readonly [label: string, shown: ReactNode, field?: string]

/**
 * A section of a product. Its values are changed one by one where they are shown, or all in one form. The typed values
 * are a draft until they are published or discarded, also after the form is closed.
 */
export function DraftSection<Item>(props: DraftSectionProps<Item>) {
  const { title, dialogTitle, product, part, record, read, fields, isAllowed } = props
  const { draft, save: saveDraft, saveField, prune } = useDraft(`${product.id}-${part}`)
  const [openField, setOpenField] = useState<string>()
  const isLive = product.status === 'active'
  const submitLabel = isLive ? products.publishChanges : common.save
  const current = initialValues(fields(record))
  const discard = () => saveDraft(undefined)
  const request = (changed: FormValues) => discardingDraft(props.request(changed), discard)
  const help = <p className="help">{fill(products.autosaved, { verb: submitLabel })}</p>
  const shownFact = ([label, shown, name]: Fact): readonly [string, ReactNode] => {
    const hasField = fields(record).some((field) => field.name === name)
    if (!isAllowed || name === undefined || !hasField) return [label, shown]
    const discardField = () => saveField(name, undefined)
    const editor = (
      <EditInPlace
        {...{ name, label, shown, record, read, fields }}
        title={dialogTitle}
        {...(draft && name in draft.values && ofField(draft, name))}
        onTakeTheirs={discardField}
        onOpenChange={(isOpen) =>
          setOpenField((former) => (isOpen ? name : former === name ? undefined : former))
        }
        submit={submitLabel}
        request={(changed) => discardingDraft(props.request(changed), discardField)}
      >
        {(values, before) => (
          <>
            <Autosave {...{ values, before }} save={(next) => saveField(name, next)} />
            {help}
          </>
        )}
      </EditInPlace>
    )
    return [label, editor]
  }
  return (
    <Section
      title={title}
      actions={
        isAllowed && (
          <EditAction
            label={common.edit}
            title={dialogTitle}
            record={record}
            read={read}
            fields={fields}
            {...(draft && { draft: draft.values, before: draft.base })}
            onTakeTheirs={discard}
            submit={submitLabel}
            keepsTyped
            request={request}
          >
            {(values, before) => (
              <>
                <Autosave {...{ values, before }} save={saveDraft} />
                {help}
              </>
            )}
          </EditAction>
        )
      }
    >
      {/* The form of a value has the button that publishes it. */}
      {isAllowed && draft && openField === undefined && (
        <DraftNotice {...{ draft, fields, record, read, current, isLive, request, discard }}>
          {(values, before) => <Autosave {...{ values, before, prune }} save={saveDraft} />}
        </DraftNotice>
      )}
      {props.children}
      <Facts rows={props.facts.map(shownFact)} />
    </Section>
  )
}

/** The draft of one field, as its form takes it. */
const ofField = ({ values, base }: Draft, name: string) => ({
  draft: { [name]: values[name] },
  before: { [name]: base[name] },
})

/** A request that deletes the draft when its changes are saved. */
const discardingDraft = (request: Request, discard: () => void): Request => ({
  ...request,
  send: async (store) => {
    const answer = await request.send(store)
    discard()
    return answer
  },
})
