/**
 * Passwords of at least 8 characters that are guessed first: those at the top of published lists of leaked passwords,
 * and words of this product. Compared in lower case.
 */
const GUESSED_FIRST: ReadonlySet<string> = new Set(
  `
  password password1 password12 password123 password1234 passw0rd passw0rd1 p@ssw0rd p@ssword pa$$word
  passwort passwort1 contrasena contraseña motdepasse
  12345678 123456789 1234567890 0123456789 87654321 987654321 9876543210 0987654321
  123123123 12341234 11223344 112233445566 147258369 741852963 123654789 159753456 123456789a a123456789
  qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwertz123 qwertzuiop asdfghjk asdfghjkl asdf1234 zxcvbnm1
  1q2w3e4r 1q2w3e4r5t q1w2e3r4 1qaz2wsx zaq12wsx 1qazxsw2 123qweasd qweasdzxc qazwsxedc
  abcdefgh abcd1234 abc12345 abcd12345 a1b2c3d4 aa123456 aa12345678
  iloveyou iloveyou1 princess princess1 sunshine sunshine1 football football1 baseball baseball1 basketball
  superman superman1 spiderman batman123 starwars trustno1 whatever computer internet liverpool barcelona
  michelle jennifer michael1 charlie1 jordan23 ashley123 jessica1 veronica alexander elizabeth
  letmein1 letmein123 welcome1 welcome12 welcome123 willkommen changeme changeme1 changeme123 default1
  admin123 admin1234 admin12345 administrator root1234 superuser guest123 test1234 testtest test12345
  secret123 geheim123 hello123 hallo123 monkey123 dragon123 master123 shadow123 killer123 hunter22
  pokemon1 naruto123 minecraft mercedes corvette ferrari1 google123 facebook samsung1 schalke04
  tradepost tradepost1 tradepost123
  `
    .trim()
    .split(/\s+/),
)

/** A text of fewer characters is quickly guessed, however long it is, such as `abababab`. */
const DIFFERENT_MIN = 4

/** Returns true if a program that tries known passwords would find this one among its first thousands. */
export function isGuessedFirst(password: string): boolean {
  const text = password.toLowerCase()
  return GUESSED_FIRST.has(text) || new Set(text).size < DIFFERENT_MIN
}
