import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useStore } from '../api/store.ts'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { EditForm, type EditFormProps, recordNameOf } from './edit-action.tsx'
import type { FormValues } from './fields.tsx'
import { discardEdit, type EditKey, type PersistedEdit, restoreEdit } from './persisted-edits.ts'
import { restoreFocus } from './restore-focus.ts'

interface EditInPlaceProps<Item>
  extends Pick<
    EditFormProps<Item>,
    'read' | 'fields' | 'request' | 'submit' | 'onTakeTheirs' | 'before' | 'children'
  > {
  /** The name of the field of the value. */
  name: string
  /** The label of the value. */
  label: string
  /** The record as it is shown. */
  record: Item
  /** The title by which a waiting change is named. */
  title: string
  /** A value that was typed before and not saved. */
  draft?: FormValues | undefined
  /** The value as it is shown. */
  shown: ReactNode
  /** Called when the form opens and closes. */
  onOpenChange?: (isOpen: boolean) => void
}

/**
 * A value with a button that changes it where it is shown. Its form has one field of the record's form, and treats
 * changes of other users in the same way. Escape and "Cancel" close it; a draft of the typed value stays, as in a dialog.
 */
export function EditInPlace<Item>(props: EditInPlaceProps<Item>) {
  const { name, label, record, shown, fields } = props
  const [edit, setEdit] = useState<{ opened: Item; restoredEdit?: PersistedEdit }>()
  const user = useStore().me.user.id
  const button = useRef<HTMLButtonElement>(null)
  const title = `${props.title}: ${label}`
  const editKey: EditKey = {
    path: location.pathname,
    title,
    recordName: recordNameOf(record),
    user,
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a stored edit is opened once.
  useEffect(() => {
    const restoredEdit = restoreEdit(editKey)
    if (restoredEdit) setEdit({ opened: record, restoredEdit })
  }, [])
  const isOpen = edit !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: only an opened or closed form is told.
  useEffect(() => props.onOpenChange?.(isOpen), [isOpen])
  const wasOpen = useRef(false)
  useEffect(() => {
    if (!edit && wasOpen.current) restoreFocus(button.current)
    wasOpen.current = edit !== undefined
  }, [edit])
  const close = () => {
    discardEdit(editKey)
    setEdit(undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    close()
  }
  if (!edit)
    return (
      <span className="editable">
        <span className="value">{shown ?? <span className="secondary-text">–</span>}</span>
        <button
          ref={button}
          type="button"
          className="text-button"
          title={fill(common.changeField, { name: label })}
          onClick={() => setEdit({ opened: record })}
        >
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d="M10.5 2.5l3 3L5.5 13.5l-3.5.5.5-3.5zM8.5 4.5l3 3" />
          </svg>
          <span className="visually-hidden">{fill(common.changeField, { name: label })}</span>
        </button>
      </span>
    )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the form from each of its controls.
    <div className="in-place" tabIndex={-1} onKeyDown={onKeyDown} ref={focusControl}>
      <EditForm
        {...props}
        {...edit}
        title={title}
        editKey={editKey}
        fields={(item) => fields(item).filter((field) => field.name === name)}
        draft={edit.restoredEdit?.values ?? props.draft}
        cancelLabel={common.cancel}
        onSaved={close}
        onCancel={close}
      />
    </div>
  )
}

/** Focuses the control. One whose code is still loading takes the focus from the form. */
const focusControl = (form: HTMLElement | null) =>
  (form?.querySelector<HTMLElement>('input, select, textarea') ?? form)?.focus()
