import { DropdownMenu } from 'radix-ui'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { BASE } from '../api/call.ts'
import { useStore } from '../api/store.ts'
import { chooseLanguage, LANGUAGE_NAMES, type Language, language } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { shell } from '../text/shell.ts'
import { changeSettings, useSettings } from './settings.ts'
import { signOut } from './sign-out.ts'

/** The button of a menu replaces a plain one that was shown until this code was loaded. */
interface MenuProps {
  className: string
  /** The content of the button. */
  children: ReactNode
  /** True if the plain button was pressed. */
  isOpen: boolean
  /** True if the plain button had the focus. */
  hasFocus: boolean
}

function Trigger({ className, children, hasFocus }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const takesFocus = useRef(hasFocus)
  useLayoutEffect(() => {
    if (takesFocus.current) button.current?.focus()
  }, [])
  return (
    <DropdownMenu.Trigger ref={button} className={className}>
      {children}
    </DropdownMenu.Trigger>
  )
}

/** The other stores of the user. */
export function StoreMenu(props: MenuProps) {
  const store = useStore()
  return (
    <DropdownMenu.Root defaultOpen={props.isOpen}>
      <Trigger {...props} />
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={4}>
          {store.me.stores.map(({ id, name, livemode }) => (
            <DropdownMenu.Item key={id} asChild>
              <a href={`${BASE}/dashboard/${id}`} aria-current={id === store.id}>
                {name}{' '}
                <span className={livemode ? 'state paid' : 'state waiting'}>
                  {livemode ? common.live : common.testMode}
                </span>
              </a>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const THEMES = [
  ['system', shell.themeSystem],
  ['light', shell.themeLight],
  ['dark', shell.themeDark],
] as const

/** The settings of this browser, and the sign-out. */
export function UserMenu(props: MenuProps) {
  const { me } = useStore()
  const { theme, compact, singleKeys } = useSettings()
  return (
    <DropdownMenu.Root defaultOpen={props.isOpen}>
      <Trigger {...props} />
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
          <DropdownMenu.Label>{me.user.email}</DropdownMenu.Label>
          <DropdownMenu.Separator />
          <DropdownMenu.Label>{shell.theme}</DropdownMenu.Label>
          <DropdownMenu.RadioGroup
            value={theme}
            onValueChange={(value) => changeSettings({ theme: value as typeof theme })}
          >
            {THEMES.map(([value, label]) => (
              <DropdownMenu.RadioItem key={value} value={value}>
                <CheckMark /> {label}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator />
          <DropdownMenu.CheckboxItem
            checked={compact}
            onCheckedChange={(value) => changeSettings({ compact: value })}
          >
            <CheckMark /> {shell.compact}
          </DropdownMenu.CheckboxItem>
          <DropdownMenu.CheckboxItem
            checked={singleKeys}
            onCheckedChange={(value) => changeSettings({ singleKeys: value })}
          >
            <CheckMark /> {shell.singleKeys}
          </DropdownMenu.CheckboxItem>
          <DropdownMenu.Separator />
          <DropdownMenu.Label>{shell.language}</DropdownMenu.Label>
          <DropdownMenu.RadioGroup
            value={language}
            onValueChange={(value) => chooseLanguage(value as Language)}
          >
            {Object.entries(LANGUAGE_NAMES).map(([value, label]) => (
              <DropdownMenu.RadioItem key={value} value={value}>
                <CheckMark /> <span lang={value}>{label}</span>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator />
          <DropdownMenu.Item onSelect={() => void signOut()}>{shell.signOut}</DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const CheckMark = () => (
  <span className="mark">
    <DropdownMenu.ItemIndicator>✓</DropdownMenu.ItemIndicator>
  </span>
)
