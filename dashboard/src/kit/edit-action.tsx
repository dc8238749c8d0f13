import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Request } from '../api/action.ts'
import { readLastChange } from '../api/last-change.ts'
import { type AccountAuditEvent, type StoreContext, useStore } from '../api/store.ts'
import { common } from '../text/common.ts'
import { formerChanges } from '../text/former-changes.ts'
import { useActionDialog } from './action.tsx'
import { BothVersions, type Conflict, conflictsOf } from './edit-conflict.tsx'
import { type Field, type FormValues, initialInputs, requestValues } from './fields.tsx'
import { Form, type SetInput } from './form.tsx'
import { isSame } from './is-same.ts'
import { Modal } from './modal.tsx'
import {
  deletePersistedEdit,
  discardEdit,
  type EditKey,
  type PersistedEdit,
  persistEdit,
  restoreEdit,
} from './persisted-edits.ts'
import { toast } from './toast.tsx'

export interface EditActionProps<Item> {
  label: string
  title?: string
  /** The consequence of a change. */
  lead?: ReactNode
  /** The record as it is shown; null if it does not exist yet. */
  record: Item
  /** The name of a record that may not exist yet. */
  recordName?: string
  /** Reads the record when the form opens, if the page shows it without some values. */
  readOpened?: (store: StoreContext) => PromiseLike<Item>
  /** Reads the record again before it is saved. */
  read: (store: StoreContext) => PromiseLike<Item>
  fields: (item: Item) => readonly Field[]
  /** The values of drafted fields that were shown when the draft was typed; those of the record by default. */
  before?: FormValues | undefined
  /** Values that were typed before and not saved. The form begins with them. */
  draft?: FormValues
  /** Called when the user takes the other user's version, and the form closes because nothing else was changed. */
  onTakeTheirs?: () => void
  /** The request that saves the changed fields of the opened record. A cleared field is undefined. */
  request: (changed: FormValues, opened: Item) => Request
  submit?: string
  isPrimary?: boolean
  /** True if the typed values are stored as a draft. */
  keepsTyped?: boolean
  /** The consequence of the typed values, below the fields. `before` has the values that they replace. */
  children?: (values: FormValues, before: FormValues) => ReactNode
}

interface EditDialog<Item> {
  /** The record when the dialog was opened. */
  opened: Item
  /** The edit of a former page, with which the form begins. */
  restoredEdit?: PersistedEdit
}

/** The result of a request that was not sent because of a conflict. */
const CONFLICT = Symbol('conflict')

/** The changed fields as the API takes them: null clears a field. */
export const clearedAsNull = (changed: FormValues) =>
  Object.fromEntries(Object.entries(changed).map(([name, value]) => [name, value ?? null]))

/** The request values of the fields before the user changes them. */
export const initialValues = (fields: readonly Field[]) =>
  requestValues(fields, initialInputs(fields))

/** The value of each field of a record that does not exist yet. It differs from every value of a field. */
const UNSET = '\0'
const unsetValues = (fields: readonly Field[]): FormValues =>
  Object.fromEntries(fields.map(({ name }) => [name, UNSET]))

/**
 * A button that opens a form for a record. Only changed fields are sent, so another user's edits of
 * other fields are kept. If another user changed the same field since the form was opened, or created the
 * record, the form shows both values.
 */
export function EditAction<Item>(props: EditActionProps<Item>) {
  const { label, title = label, record } = props
  const dialog = useActionDialog<EditDialog<Item>>(title)
  const store = useStore()
  const user = store.me.user.id
  const editKey: EditKey = {
    path: location.pathname,
    title,
    recordName: props.recordName ?? recordNameOf(record),
    user,
  }
  const close = () => {
    discardEdit(editKey)
    dialog.close()
  }
  const open = (edit: Pick<EditDialog<Item>, 'restoredEdit'> = {}) => {
    const { readOpened } = props
    if (!readOpened) return dialog.open({ opened: record, ...edit })
    const openWith = (opened: Item) => dialog.open({ opened, ...edit })
    void Promise.resolve(readOpened(store)).then(openWith, () => toast(common.failed))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a stored edit is opened once.
  useEffect(() => {
    const restoredEdit = restoreEdit(editKey)
    if (restoredEdit) open({ restoredEdit })
  }, [])
  const { content } = dialog
  return (
    <>
      <button
        type="button"
        className={props.isPrimary ? 'primary' : undefined}
        aria-haspopup="dialog"
        onClick={() => open()}
      >
        {label}
      </button>
      <Modal
        title={title}
        isOpen={content !== undefined}
        onClose={close}
        keepsTyped={props.keepsTyped ?? false}
      >
        {props.lead && <div className="lead">{props.lead}</div>}
        {content?.restoredEdit && <p role="status">{formerChanges.saveAgain}</p>}
        {content && (
          <EditForm
            {...props}
            {...content}
            {...{ editKey }}
            onSaved={close}
            onCancel={close}
            draft={content.restoredEdit?.values ?? props.draft}
          />
        )}
      </Modal>
    </>
  )
}

/** The id of a record; empty for a part of a record, whose edits are not persisted. */
export function recordNameOf(item: unknown): string {
  const { id, variant_id, object } = (item ?? {}) as Record<string, unknown>
  return String(id ?? variant_id ?? object ?? '')
}

export interface EditFormProps<Item>
  extends EditDialog<Item>,
    Omit<EditActionProps<Item>, 'draft' | 'label' | 'record'> {
  draft: FormValues | undefined
  editKey: EditKey
  /** Called with the answer when the changes are saved; undefined if there was no change to send. */
  onSaved: (answer: unknown) => void
  /** Called when the user closes the form without saving, or takes the other user's version. */
  onCancel: () => void
  /** The text of the button that closes the form, "Cancel" by default; there is no such button if undefined. */
  cancelLabel?: string | undefined
}

/** Compares what was typed with the record of the server before it is sent. */
function useVersions<Item>(props: EditFormProps<Item>) {
  const { opened, restoredEdit, fields, read } = props
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([])
  const [lastChange, setLastChange] = useState<AccountAuditEvent>()
  /** The other user's values that the form shows, and the fields of that record. */
  const shownTheirs = useRef<{ values: FormValues; fields: readonly Field[] }>(undefined)
  /** The other user's values that the user decided to overwrite. */
  const overwritableTheirs = useRef<FormValues>(undefined)
  /** The other user's values that the user took while others were changed. */
  const [taken, setTaken] = useState<FormValues>({})
  const before = {
    ...(restoredEdit?.before ?? { ...valuesWhenOpened(fields, opened), ...props.before }),
    ...taken,
  }
  /** Reads the record again. Returns true if another user changed the same fields, and then shows both versions. */
  const showConflict = async (store: StoreContext, mine: FormValues, request: Request) => {
    const record = await read(store)
    const current = fields(record)
    const theirs = initialValues(current)
    const found = record === null ? [] : conflictsOf(current, { before, mine, theirs })
    if (found.length === 0 || isSame(overwritableTheirs.current, theirs)) {
      setConflicts([])
      return false
    }
    const names = found.map(({ name }) => name)
    setLastChange(await readLastChange(store, request, names))
    shownTheirs.current = { values: theirs, fields: current }
    setConflicts(found)
    return true
  }
  /** Replaces the values in conflict only. The form stays open if others were changed. */
  const takeTheirs = (values: FormValues, setInput: SetInput) => {
    const names = conflicts.map(({ name }) => name)
    const others = changedIn(values, before).filter((name) => !names.includes(name))
    if (others.length === 0) {
      props.onTakeTheirs?.()
      return props.onCancel()
    }
    const inputs = initialInputs(shownTheirs.current?.fields ?? [])
    for (const name of names) setInput(name, inputs[name])
    setTaken({ ...taken, ...pick(shownTheirs.current?.values ?? {}, names) })
    setConflicts([])
  }
  const keepMine = () => {
    overwritableTheirs.current = shownTheirs.current?.values
  }
  const end = () => setTaken({})
  return { before, conflicts, lastChange, showConflict, takeTheirs, keepMine, end }
}

/** The form of an edit, in a dialog or in a page. */
export function EditForm<Item>(props: EditFormProps<Item>) {
  const { opened, editKey, fields, submit = common.save, onSaved, onCancel } = props
  const { cancelLabel = 'cancelLabel' in props ? undefined : common.cancel } = props
  const versions = useVersions(props)
  const { before, conflicts, lastChange } = versions

  const request = (values: FormValues): Request => {
    const changed = pick(values, changedIn(values, before))
    const editRequest = props.request(changed, opened)
    return {
      ...editRequest,
      onEnd: () => deletePersistedEdit(editKey),
      send: async (store) => {
        persistEdit({ ...editKey, before, values })
        // Nothing was sent. The page behind the dialog is read again, and shows the other user's version.
        if (await versions.showConflict(store, values, editRequest)) return CONFLICT
        // Without a change nothing is sent, so that another user's version stays.
        return Object.keys(changed).length === 0 ? undefined : editRequest.send(store.forEdit())
      },
    }
  }
  return (
    <Form
      fields={withDraft(fields(opened), props.draft)}
      submit={submit}
      title={editKey.title}
      request={request}
      onDone={(answer) => {
        if (answer === CONFLICT) return
        versions.end()
        onSaved(answer)
      }}
      {...(cancelLabel !== undefined && { onCancel, cancelLabel })}
    >
      {(values, setInput) => (
        <>
          {props.children?.(values, before)}
          {conflicts.length > 0 && (
            <BothVersions
              conflicts={conflicts}
              lastChange={lastChange}
              onKeepMine={versions.keepMine}
              onTakeTheirs={() => versions.takeTheirs(values, setInput)}
            />
          )}
        </>
      )}
    </Form>
  )
}

const changedIn = (values: FormValues, before: FormValues): string[] =>
  Object.keys(values).filter((name) => !isSame(values[name], before[name]))

const pick = (values: FormValues, names: readonly string[]): FormValues =>
  Object.fromEntries(names.map((name) => [name, values[name]]))

function valuesWhenOpened<Item>(fields: EditFormProps<Item>['fields'], opened: Item): FormValues {
  return opened === null ? unsetValues(fields(opened)) : initialValues(fields(opened))
}

const withDraft = (fields: readonly Field[], draft: FormValues = {}): readonly Field[] =>
  fields.map((field) => (field.name in draft ? { ...field, value: draft[field.name] } : field))
