import { mayPersist } from '../api/may-persist.ts'
import { createSessionList } from '../api/session-list.ts'
import type { FormValues } from './fields.tsx'

/**
 * An edit that was submitted and not answered. It is stored in the tab, and its form opens again after a
 * reload: an edit is compared with the record before it is sent, so only its form can send it (decision 377).
 */
export interface PersistedEdit {
  /** The path of the page. */
  path: string
  /** The title of the dialog. */
  title: string
  /** The id of the edited record; empty if it has none. */
  recordName: string
  user: number
  /** The values when the form was opened. */
  before: FormValues
  /** The values that the user submitted. */
  values: FormValues
}

const storage = createSessionList<PersistedEdit>('tradepost-waiting-edits')
const EDITS_MAX = 20
/** The edits of this page. They wait in its memory, so their forms do not open again. */
const editsOfThisPage = new Set<string>()
/** The edits of this page that were submitted and not answered. */
const unansweredEdits = new Set<string>()

export type EditKey = Pick<PersistedEdit, 'path' | 'title' | 'recordName' | 'user'>

const nameOf = ({ path, title, recordName, user }: EditKey) =>
  JSON.stringify([path, title, recordName, user])
const isAt = (editKey: EditKey) => (edit: PersistedEdit) => nameOf(edit) === nameOf(editKey)

/** JSON has no undefined, which is the value of an empty field. */
const withNulls = (values: FormValues): FormValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? null]))

export function persistEdit({ before, values, ...editKey }: PersistedEdit) {
  editsOfThisPage.add(nameOf(editKey))
  unansweredEdits.add(nameOf(editKey))
  const others = storage.read().filter((item) => !isAt(editKey)(item))
  const edit = { ...editKey, before: withNulls(before), values: withNulls(values) }
  const hasFile = Object.values(values).some((value) => value instanceof Blob)
  const content = JSON.stringify([edit.before, edit.values])
  const isNamed = editKey.recordName !== '' && !hasFile
  if (isNamed && mayPersist(editKey.path, content) && others.length < EDITS_MAX)
    storage.save([...others, edit])
}

/** Deletes a stored edit, because it was answered or refused. */
export function deletePersistedEdit(editKey: EditKey) {
  unansweredEdits.delete(nameOf(editKey))
  storage.save(storage.read().filter((edit) => !isAt(editKey)(edit)))
}

/** Deletes a stored edit whose form was closed, unless it was submitted and waits. */
export function discardEdit(editKey: EditKey) {
  if (!unansweredEdits.has(nameOf(editKey))) deletePersistedEdit(editKey)
}

/** Returns the edit of a former page that belongs to a form, once. */
export function restoreEdit(editKey: EditKey): PersistedEdit | undefined {
  if (editsOfThisPage.has(nameOf(editKey))) return undefined
  const edit = storage.read().find(isAt(editKey))
  if (edit) editsOfThisPage.add(nameOf(editKey))
  return edit
}

/** The number of stored edits of other users. */
export const countEditsOfOthers = (user: number): number =>
  storage.read().filter((edit) => edit.user !== user).length

/** The edits of a former page whose forms are not open. */
export const unsentEdits = (user: number): readonly PersistedEdit[] =>
  storage.read().filter((edit) => edit.user === user && !editsOfThisPage.has(nameOf(edit)))
