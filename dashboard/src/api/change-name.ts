import { fill } from '../text/catalogue.ts'
import { connection } from '../text/connection.ts'

const heading = (): string => document.querySelector('h1')?.textContent ?? document.title

/** The name of a change by its page, such as `Change on “Categories”`. */
export const pageName = (): string => fill(connection.changeOn, { page: heading() })

/** The name of a change by its form and page, such as `Refund · Order #7`; a waiting change has it. */
export const changeName = (title: string | undefined): string =>
  title === undefined ? pageName() : `${title} · ${heading()}`
