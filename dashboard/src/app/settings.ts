import { useSyncExternalStore } from 'react'
import { observable } from '../api/observable.ts'

/** Choices that are stored in this browser. */
interface Settings {
  theme: 'system' | 'light' | 'dark'
  compact: boolean
  singleKeys: boolean
}

const STORAGE_KEY = 'tradepost-settings'
const DEFAULTS: Settings = { theme: 'system', compact: false, singleKeys: true }

function readStored(): Settings {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') }
  } catch {
    return DEFAULTS
  }
}

const settings = observable(readStored())

function apply({ theme, compact }: Settings) {
  const { dataset } = document.documentElement
  dataset.theme = theme
  dataset.density = compact ? 'compact' : 'normal'
}
apply(settings.get())

export function changeSettings(change: Partial<Settings>) {
  const next = { ...settings.get(), ...change }
  localStorage.setItem(STORAGE_KEY, JSON.stringify(next))
  apply(next)
  settings.set(next)
}

export const useSettings = (): Settings => useSyncExternalStore(settings.subscribe, settings.get)
