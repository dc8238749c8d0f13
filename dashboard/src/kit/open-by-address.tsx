import { useRouter, useRouterState } from '@tanstack/react-router'
import { type RefObject, useEffect } from 'react'

/** An address with this hash opens the first action of its page, such as `/api-keys#new`. */
export const NEW_HASH = 'new'

interface OpenByAddressProps {
  /** The button of the action. Only a button in the head of a page is opened. */
  button: RefObject<HTMLButtonElement | null>
  open: () => void
}

/** Opens an action if the address asks for it, once. */
export function OpenByAddress({ button, open }: OpenByAddressProps) {
  const router = useRouter()
  const isRequested = useRouterState({ select: ({ location }) => location.hash === NEW_HASH })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the address opens the action.
  useEffect(() => {
    if (!isRequested || !button.current?.closest('.page-head')) return
    router.history.replace(location.pathname + location.search)
    open()
  }, [isRequested])
  return null
}
