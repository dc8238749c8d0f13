let userId: number | undefined

/** The user who was signed in when this page was loaded; undefined until the server named them. */
export const pageUser = (): number | undefined => userId

export function setPageUser(user: number) {
  userId = user
}
