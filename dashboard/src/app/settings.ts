import { useSyncExternalStore } from 'react'

/** Choices of this browser. */
interface Settings {
  theme: 'system' | 'light' | 'dark'
  compact: boolean
  singleKeys: boolean
}

const STORED = 'tradepost-settings'
const DEFAULTS: Settings = { theme: 'system', compact: false, singleKeys: true }

function read(): Settings {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(STORED) ?? '{}') }
  } catch {
    return DEFAULTS
  }
}

let settings = read()
const listeners = new Set<() => void>()

function apply() {
  const { dataset } = document.documentElement
  dataset.theme = settings.theme
  dataset.density = settings.compact ? 'compact' : 'normal'
}
apply()

export function changeSettings(change: Partial<Settings>) {
  settings = { ...settings, ...change }
  localStorage.setItem(STORED, JSON.stringify(settings))
  apply()
  for (const listener of listeners) listener()
}

export const useSettings = (): Settings =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => settings,
  )
