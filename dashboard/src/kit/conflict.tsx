import { useEffect, useRef, useState } from 'react'
import type { Request } from '../api/action.ts'
import type { StoreContext } from '../api/store.ts'
import { common } from '../text/common.ts'
import { conflict } from '../text/conflict.ts'
import { Modal } from './action.tsx'
import { type Field, firstTyped, type Typed, valuesOf } from './fields.tsx'
import { Form } from './form.tsx'
import { formatMoney } from './format.ts'
import { Table } from './list.tsx'

interface EditActionProps<Item> {
  label: string
  title?: string
  /** The record as it is shown. */
  of: Item
  /** Reads the record again, before it is saved. */
  read: (store: StoreContext) => PromiseLike<Item>
  fields: (item: Item) => readonly Field[]
  /** The request that saves the fields that were changed. A field that was cleared is undefined. */
  request: (changed: Typed) => Request
  submit?: string
}

/** The answer of a request that was not sent because of a conflict. */
const CLASH = Symbol('clash')

interface Clash {
  label: string
  mine: string
  theirs: string
}

const valuesFor = (fields: readonly Field[]) => valuesOf(fields, firstTyped(fields))
const isSame = (one: unknown, other: unknown) =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/**
 * A button that opens a form for a record. Only changed fields are sent, so edits of other fields by somebody
 * else are kept. If somebody else changed the same field since the form was opened, it shows both values.
 */
export function EditAction<Item>(props: EditActionProps<Item>) {
  const { label, title = label, of } = props
  const [opened, setOpened] = useState<Item>()
  const close = () => setOpened(undefined)
  return (
    <>
      <button type="button" onClick={() => setOpened(of)}>
        {label}
      </button>
      <Modal title={title} isOpen={opened !== undefined} onClose={close}>
        {opened !== undefined && <EditForm {...props} opened={opened} close={close} />}
      </Modal>
    </>
  )
}

interface EditFormProps<Item> extends EditActionProps<Item> {
  opened: Item
  close: () => void
}

function EditForm<Item>(props: EditFormProps<Item>) {
  const { opened, fields, read, submit = common.save, close } = props
  const [clashes, setClashes] = useState<readonly Clash[]>([])
  /** The values of somebody else that were shown, and may be overwritten. */
  const accepted = useRef<Typed>(undefined)
  const shown = useRef<Typed>(undefined)
  const before = valuesFor(fields(opened))

  const request = (values: Typed): Request => {
    const changed = Object.fromEntries(
      Object.entries(values).filter(([name, value]) => !isSame(value, before[name])),
    )
    const inner = props.request(changed)
    return {
      ...inner,
      send: async (store) => {
        const now = fields(await read(store))
        const theirs = valuesFor(now)
        const found = clashesOf(now, { before, mine: values, theirs })
        if (found.length > 0 && !isSame(accepted.current, theirs)) {
          shown.current = theirs
          setClashes(found)
          // Nothing was sent. The page behind is read again, and shows their version.
          return CLASH
        }
        setClashes([])
        return inner.send(store)
      },
    }
  }
  return (
    <Form
      fields={fields(opened)}
      submit={submit}
      request={request}
      onDone={(answer) => answer !== CLASH && close()}
      more={
        <button type="button" onClick={close}>
          {common.cancel}
        </button>
      }
    >
      {() =>
        clashes.length > 0 && (
          <Both
            clashes={clashes}
            onKeep={() => {
              accepted.current = shown.current
            }}
            onTake={close}
          />
        )
      }
    </Form>
  )
}

interface Versions {
  before: Typed
  mine: Typed
  theirs: Typed
}

/** The fields that both changed, to different values. */
function clashesOf(fields: readonly Field[], { before, mine, theirs }: Versions): Clash[] {
  return fields
    .filter(({ name }) => {
      const isMine = !isSame(mine[name], before[name])
      return isMine && !isSame(theirs[name], before[name]) && !isSame(mine[name], theirs[name])
    })
    .map((field) => ({
      label: field.label,
      mine: textOf(field, mine[field.name]),
      theirs: textOf(field, theirs[field.name]),
    }))
}

function textOf({ type, currency, options = [] }: Field, value: unknown): string {
  const labelOf = (item: unknown) =>
    options.find((option) => option.value === item)?.label ?? String(item)
  if (value === undefined || value === null || value === '') return '–'
  if (typeof value === 'boolean') return value ? common.yes : common.no
  if (type === 'money' && currency) return formatMoney(Number(value), currency)
  return Array.isArray(value) ? value.map(labelOf).join(', ') || '–' : labelOf(value)
}

interface BothProps {
  clashes: readonly Clash[]
  onKeep: () => void
  onTake: () => void
}

/**
 * Both versions. They take the focus, because they may be out of sight. The button that keeps the reader's
 * version submits the form again.
 */
function Both({ clashes, onKeep, onTake }: BothProps) {
  const place = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new clashes take the focus again.
  useEffect(() => place.current?.focus(), [clashes])
  return (
    <div className="failure" ref={place} tabIndex={-1} role="alert">
      <p>{common.conflict}</p>
      <Table
        label={common.conflict}
        rows={clashes}
        keyOf={({ label }) => label}
        columns={[
          { label: conflict.field, show: ({ label }) => label },
          { label: conflict.mine, show: ({ mine }) => mine },
          { label: conflict.theirs, show: ({ theirs }) => theirs },
        ]}
      />
      <div className="actions">
        <button type="submit" onClick={onKeep}>
          {common.keepMine}
        </button>
        <button type="button" onClick={onTake}>
          {common.takeTheirs}
        </button>
      </div>
    </div>
  )
}
