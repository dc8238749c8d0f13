import { mayWrite, type StoreContext } from '../api/store.ts'
import { NEW_HASH } from '../kit/open-by-address.tsx'
import { commands } from '../text/commands.ts'
import { changeSettings, useSettings } from './settings.ts'
import { signOut } from './sign-out.ts'

interface Command {
  label: string
  /** The page whose first action is opened. */
  to?: string
  act?: () => void
}

/** The first actions of lists: the path, the label, and the area that the role must be allowed to change. */
const LIST_ACTIONS = [
  ['/orders', commands.newOrder, 'orders'],
  ['/products', commands.newProduct, 'products'],
  ['/coupons', commands.newCoupon, 'coupons'],
  ['/license-keys', commands.newKeys, 'client_security'],
  ['/api-keys', commands.newApiKey, 'account'],
  ['/webhooks', commands.newEndpoint, 'webhooks'],
  ['/settings/team', commands.invite, 'account'],
] as const

/** The actions in the command palette. */
export function useCommands(store: StoreContext): readonly Command[] {
  const { compact, singleKeys } = useSettings()
  return [
    ...LIST_ACTIONS.filter(([, , area]) => mayWrite(store, area)).map(([path, label]) => ({
      label,
      to: `${path}#${NEW_HASH}`,
    })),
    { label: commands.themeSystem, act: () => changeSettings({ theme: 'system' }) },
    { label: commands.themeLight, act: () => changeSettings({ theme: 'light' }) },
    { label: commands.themeDark, act: () => changeSettings({ theme: 'dark' }) },
    {
      label: compact ? commands.normalRows : commands.compactRows,
      act: () => changeSettings({ compact: !compact }),
    },
    {
      label: singleKeys ? commands.singleKeysOff : commands.singleKeysOn,
      act: () => changeSettings({ singleKeys: !singleKeys }),
    },
    { label: commands.signOut, act: () => void signOut() },
  ]
}
