import { observable } from './observable.ts'

/**
 * A question that the user must answer before a request can be repeated, named after the refusal. `OTHER_USER` asks
 * the user of the page to sign in again, after another user signed in in another tab.
 */
export type Prompt = 'SIGN_IN_REQUIRED' | 'OTHER_USER' | 'STEP_UP_REQUIRED'

interface OpenPrompt {
  /** Resolves to true if the request may be repeated. */
  answered: Promise<boolean>
  answer(mayRepeat: boolean): void
}

const openPrompts = observable<ReadonlyMap<Prompt, OpenPrompt>>(new Map())
export const subscribePrompts = openPrompts.subscribe

/** The prompts in the sequence in which they are shown. A session may end while a password is asked for. */
const PROMPTS: readonly Prompt[] = ['SIGN_IN_REQUIRED', 'OTHER_USER', 'STEP_UP_REQUIRED']

export const promptFor = (code: string | undefined): Prompt | undefined =>
  PROMPTS.find((prompt) => prompt === code)

export const currentPrompt = (): Prompt | undefined =>
  PROMPTS.find((prompt) => openPrompts.get().has(prompt))

let declines = 0
/** The number of prompts that the user has declined since the page was loaded. */
export const declineCount = () => declines

export function answerPrompt(prompt: Prompt, mayRepeat: boolean) {
  const remaining = new Map(openPrompts.get())
  const open = remaining.get(prompt)
  if (!open) return
  if (!mayRepeat) declines += 1
  remaining.delete(prompt)
  openPrompts.set(remaining)
  open.answer(mayRepeat)
}

/**
 * Opens a prompt, once for all requests that are refused at the same time. A call that was sent before the user
 * declined a prompt opens no other, also if its client repeats it after that.
 */
export async function askUser(prompt: Prompt, declinesAtStart: number): Promise<boolean> {
  const open = openPrompts.get().get(prompt)
  if (open) return open.answered
  if (declines > declinesAtStart) return false
  const { promise, resolve } = Promise.withResolvers<boolean>()
  openPrompts.set(new Map(openPrompts.get()).set(prompt, { answered: promise, answer: resolve }))
  return promise
}
