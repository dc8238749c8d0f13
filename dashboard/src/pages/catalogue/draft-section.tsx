import type { ReactNode } from 'react'
import type { Request } from '../../api/action.ts'
import type { Product, StoreContext } from '../../api/store.ts'
import { Autosave, useDraft } from '../../kit/draft.ts'
import { EditAction, initialValues } from '../../kit/edit-action.tsx'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { Section } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { products } from '../../text/products.ts'
import { DraftNotice } from './draft-notice.tsx'

interface DraftSectionProps<Item> {
  title: string
  /** The title of the dialog. */
  dialogTitle: string
  product: Product
  part: 'basics' | 'texts'
  /** The part of the product that the form changes. */
  record: Item
  read: (store: StoreContext) => PromiseLike<Item>
  fields: (item: Item) => readonly Field[]
  /** The request that saves the changed fields. */
  request: (changed: FormValues) => Request
  isAllowed: boolean
  children: ReactNode
}

/** A section of a product with its form. The typed values are a draft until they are published. */
export function DraftSection<Item>(props: DraftSectionProps<Item>) {
  const { title, dialogTitle, product, part, record, read, fields, isAllowed, children } = props
  const { draft, save: saveDraft } = useDraft(`${product.id}-${part}`)
  const isLive = product.status === 'active'
  const submitLabel = isLive ? products.publishChanges : common.save
  const current = initialValues(fields(record))
  const discard = () => saveDraft(undefined)
  const request = (changed: FormValues) => discardingDraft(props.request(changed), discard)
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
            {...(draft && { draft: draft.values })}
            onTakeTheirs={discard}
            submit={submitLabel}
            keepsTyped
            request={request}
          >
            {(values) => (
              <>
                <Autosave values={values} before={current} save={saveDraft} />
                <p className="help">{fill(products.autosaved, { verb: submitLabel })}</p>
              </>
            )}
          </EditAction>
        )
      }
    >
      {isAllowed && draft && (
        <DraftNotice
          draft={draft}
          fields={fields(record)}
          current={current}
          isLive={isLive}
          publish={(corrected) => request({ ...draft.values, ...corrected })}
          discard={discard}
        />
      )}
      {children}
    </Section>
  )
}

/** A request that deletes the draft when its changes are saved. */
const discardingDraft = (request: Request, discard: () => void): Request => ({
  ...request,
  send: async (store) => {
    const answer = await request.send(store)
    discard()
    return answer
  },
})
