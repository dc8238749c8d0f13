import type { ClientApp } from '../../api/security.ts'
import { useRead } from '../../api/store.ts'
import type { Field } from '../../kit/fields.tsx'
import type { Filter } from '../../kit/list.tsx'
import { apps as text } from '../../text/client-apps.ts'

const APPS_MAX = 100

/** Reads the apps of the store. */
export const useAppsRead = (options: { isOptional?: boolean } = {}) =>
  useRead(
    ['apps', 'options'],
    async ({ security }) => {
      const { apps } = await security.apps.list({ limit: APPS_MAX })
      return apps
    },
    options,
  )

/** The apps of the store, or none while they load. */
export const useApps = (): readonly ClientApp[] => useAppsRead({ isOptional: true }).data ?? []

const optionsOf = (apps: readonly ClientApp[]) =>
  apps.map(({ id, name }) => ({ value: String(id), label: name }))

/** A filter by app; none if the store has one app. */
export const appFilter = (apps: readonly ClientApp[]): readonly Filter[] =>
  apps.length < 2 ? [] : [{ name: 'app_id', label: text.app, options: optionsOf(apps) }]

/** The choice of an app. The default app is chosen unless `chosen` is set. */
export const appField = (apps: readonly ClientApp[], chosen?: number): Field => ({
  name: 'app_id',
  label: text.app,
  type: 'select',
  required: true,
  options: optionsOf(apps),
  value: chosen ?? apps.find(({ is_default }) => is_default)?.id,
})

/** The choice of the app of a new record; none if the store has one app. */
export const appFieldIfSeveral = (apps: readonly ClientApp[]): readonly Field[] =>
  apps.length < 2 ? [] : [appField(apps)]

export const appNameOf = (apps: readonly ClientApp[], id: number): string =>
  apps.find((app) => app.id === id)?.name ?? String(id)
