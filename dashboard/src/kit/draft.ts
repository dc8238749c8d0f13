import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { useStore } from '../api/store.ts'
import type { FormValues } from './fields.tsx'
import { isSame } from './is-same.ts'

/** The changes of a record that were typed and not saved. */
export interface Draft {
  /** The changed fields by name. A cleared field is null. */
  values: FormValues
  /** The values of these fields in the record when they were changed. */
  base: FormValues
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  // Another tab of the browser has the same drafts.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

function storeDraft(storageKey: string, draft: Draft | undefined) {
  if (draft && Object.keys(draft.values).length > 0)
    localStorage.setItem(storageKey, JSON.stringify(draft))
  else localStorage.removeItem(storageKey)
  for (const listener of listeners) listener()
}

/**
 * The draft of a form, which this browser stores; undefined if nothing was changed. The name identifies the form in
 * its store.
 */
export function useDraft(name: string) {
  const { id: storeId, me } = useStore()
  const storageKey = `tradepost-draft-${me.user.id}-${storeId}-${name}`
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(storageKey))
  const draft = useMemo(() => draftIn(text), [text])
  return {
    draft,
    save: (next: Draft | undefined) => storeDraft(storageKey, next),
    /** Replaces the draft of one field, and leaves the others. Undefined removes it. */
    saveField(name: string, next: Draft | undefined) {
      const { values = {}, base = {} } = draftIn(localStorage.getItem(storageKey)) ?? {}
      const others = { values: without(values, name), base: without(base, name) }
      storeDraft(storageKey, {
        values: { ...others.values, ...next?.values },
        base: { ...others.base, ...next?.base },
      })
    },
    /** Removes the fields whose values are those of the record again. */
    prune() {
      const { values, base } = draftIn(localStorage.getItem(storageKey)) ?? { values: {}, base: {} }
      storeDraft(storageKey, draftOf(values, base))
    },
  }
}

const draftIn = (text: string | null) => (text === null ? undefined : (JSON.parse(text) as Draft))

const without = (values: FormValues, name: string): FormValues =>
  Object.fromEntries(Object.entries(values).filter(([key]) => key !== name))

/** The values that differ from those of the record. */
const draftOf = (values: FormValues, before: FormValues): Draft | undefined =>
  draftWith(
    Object.keys(values).filter((name) => !isSame(values[name], before[name])),
    values,
    before,
  )

function draftWith(
  names: readonly string[],
  values: FormValues,
  before: FormValues,
): Draft | undefined {
  if (names.length === 0) return undefined
  const pick = (from: FormValues) =>
    Object.fromEntries(names.map((name) => [name, from[name] ?? null]))
  return { values: pick(values), base: pick(before) }
}

/** The names of drafted fields whose value in the record has changed since. */
export const fieldsChangedSince = ({ base }: Draft, current: FormValues): string[] =>
  Object.keys(base).filter((name) => !isSame(base[name], current[name]))

interface AutosaveProps {
  values: FormValues
  /** The values of the record. */
  before: FormValues
  save: (draft: Draft | undefined) => void
  /**
   * Removes what is as in the record again, when the form closes. Without it that is removed at once, also if the form
   * consists of the fields of the draft.
   */
  prune?: () => void
}

/** Stores the typed values of a form as a draft after each change. */
export function Autosave({ values, before, save, prune }: AutosaveProps) {
  const next = prune ? draftWith(Object.keys(values), values, before) : draftOf(values, before)
  const text = JSON.stringify(next)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of the form removes fields.
  useEffect(() => prune, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft is stored only if it changed.
  useEffect(() => save(text === undefined ? undefined : (JSON.parse(text) as Draft)), [text])
  return null
}
