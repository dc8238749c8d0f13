import { connection } from '../text/connection.ts'
import { forms } from '../text/forms.ts'
import { useConnection } from './connection.tsx'
import { useIsSlow } from './states.tsx'

/** Says under the button of a request that its answer is slow, or that the server does not answer. */
export function SlowAnswer({ silent = forms.unanswered }: { silent?: string }) {
  const isSlow = useIsSlow()
  const { isOnline, isSilent } = useConnection()
  return <p role="status">{isSilent || !isOnline ? silent : isSlow && connection.slow}</p>
}
