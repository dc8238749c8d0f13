import type { FastifyRequest } from 'fastify'

const LANGUAGES = ['en', 'de', 'es'] as const
export type PageLanguage = (typeof LANGUAGES)[number]

/** Returns the most preferred language of `Accept-Language` that the pages have; English by default. */
export function languageOf({ headers }: Pick<FastifyRequest, 'headers'>): PageLanguage {
  const preferences = (headers['accept-language'] ?? '')
    .split(',')
    .map((range) => {
      const [tag = '', quality] = range.trim().toLowerCase().split(';q=')
      return { tag, quality: quality === undefined ? 1 : Number(quality) || 0 }
    })
    .toSorted((a, b) => b.quality - a.quality)
  for (const { tag, quality } of preferences) {
    const language = LANGUAGES.find((item) => tag === item || tag.startsWith(`${item}-`))
    if (language && quality > 0) return language
  }
  return 'en'
}

export type Text = readonly [en: string, de: string, es: string]

export const textIn = (language: PageLanguage, text: Text): string =>
  text[LANGUAGES.indexOf(language)] ?? text[0]

export interface PageField {
  name: string
  label: Text
  type: 'email' | 'password' | 'text' | 'checkbox'
  /** A heading above the field. */
  heading?: Text
  /** The value of the empty form. */
  initial?: string
  autocomplete?: string
  optional?: boolean
}

export interface PageForm {
  title: Text
  lead: Text
  button: Text
  /** The id of the endpoint to which the fields are sent. */
  endpoint: string
  fields: readonly PageField[]
  /** The text that is shown after a success. Without it, the browser is redirected to the app. */
  successText?: Text
}

const EMAIL: PageField = {
  name: 'email',
  label: ['Email address', 'E-Mail-Adresse', 'Correo electrónico'],
  type: 'email',
  autocomplete: 'username',
}
const PASSWORD: PageField = {
  name: 'password',
  label: ['Password', 'Passwort', 'Contraseña'],
  type: 'password',
  autocomplete: 'current-password',
}
const CODE: PageField = {
  name: 'code',
  label: [
    'Code, if your account needs one',
    'Code, falls Ihr Konto einen braucht',
    'Código, si su cuenta lo requiere',
  ],
  type: 'text',
  autocomplete: 'one-time-code',
  optional: true,
}
const NEW_PASSWORD: PageField = {
  ...PASSWORD,
  label: [
    'New password, at least 8 characters',
    'Neues Passwort, mindestens 8 Zeichen',
    'Nueva contraseña, al menos 8 caracteres',
  ],
  autocomplete: 'new-password',
}

export const SIGN_IN_PATH = '/sign-in'
export const FORGOT_PATH = '/forgot-password'
export const RESET_PATH = '/reset-password'
/** The first password of a user who signed in with a link. */
export const PASSWORD_PATH = '/password'
export const FIRST_START_PATH = '/first-start'
export const INVITATION_PATH = '/invitation'

/** The forms by their paths below `/dashboard`. */
export const PAGE_FORMS: Readonly<Record<string, PageForm>> = {
  [SIGN_IN_PATH]: {
    title: ['Sign in', 'Anmelden', 'Iniciar sesión'],
    lead: [
      'Sign in to the dashboard of your store.',
      'Melden Sie sich am Dashboard Ihres Shops an.',
      'Inicie sesión en el panel de su tienda.',
    ],
    button: ['Sign in', 'Anmelden', 'Iniciar sesión'],
    endpoint: 'users.sign_in',
    fields: [EMAIL, PASSWORD, CODE],
  },
  [FORGOT_PATH]: {
    title: ['Forgotten password', 'Passwort vergessen', 'Contraseña olvidada'],
    lead: [
      'You receive a link by email to set a new password. The link is valid for an hour.',
      'Sie erhalten per E-Mail einen Link für ein neues Passwort. Der Link gilt eine Stunde.',
      'Recibirá por correo un enlace para una contraseña nueva. El enlace es válido durante una hora.',
    ],
    button: ['Mail the link', 'Link senden', 'Enviar el enlace'],
    endpoint: 'users.ask_reset',
    fields: [EMAIL],
    successText: [
      'If an account has this email address, the link was sent.',
      'Falls ein Konto diese E-Mail-Adresse hat, wurde der Link gesendet.',
      'Si alguna cuenta tiene este correo electrónico, el enlace se ha enviado.',
    ],
  },
  [FIRST_START_PATH]: {
    title: ['Welcome to Tradepost', 'Willkommen bei Tradepost', 'Bienvenido a Tradepost'],
    lead: [
      'This form creates your account and your store. The store has a test side, on which nothing costs money.',
      'Dieses Formular legt Ihr Konto und Ihren Shop an. Der Shop hat eine Testumgebung, in der nichts Geld kostet.',
      'Este formulario crea su cuenta y su tienda. La tienda tiene un lado de prueba en el que nada cuesta dinero.',
    ],
    button: ['Create the store', 'Shop anlegen', 'Crear la tienda'],
    endpoint: 'users.start_first_store',
    fields: [
      {
        name: 'name',
        heading: ['Who are you?', 'Wer sind Sie?', '¿Quién es usted?'],
        label: ['Your name', 'Ihr Name', 'Su nombre'],
        type: 'text',
        autocomplete: 'name',
      },
      EMAIL,
      NEW_PASSWORD,
      {
        name: 'store_name',
        heading: ['Your store', 'Ihr Shop', 'Su tienda'],
        label: ['Name of the store', 'Name des Shops', 'Nombre de la tienda'],
        type: 'text',
        autocomplete: 'organization',
      },
      {
        name: 'currency',
        label: [
          'Currency, such as EUR. It cannot be changed later.',
          'Währung, etwa EUR. Sie lässt sich später nicht ändern.',
          'Moneda, como EUR. No se puede cambiar después.',
        ],
        type: 'text',
        initial: 'USD',
      },
      {
        name: 'demo',
        label: [
          'Load a demo store with 90 days of trade next to it',
          'Daneben einen Demo-Shop mit 90 Tagen Handel laden',
          'Cargar además una tienda de demostración con 90 días de ventas',
        ],
        type: 'checkbox',
        initial: 'yes',
        optional: true,
      },
    ],
  },
  [PASSWORD_PATH]: {
    title: ['Set a password', 'Passwort setzen', 'Definir una contraseña'],
    lead: [
      'You need a password to change keys, secrets and the team, and to sign in again.',
      'Sie brauchen ein Passwort, um API-Keys, Geheimnisse und das Team zu ändern und um sich wieder anzumelden.',
      'Necesita una contraseña para cambiar claves, secretos y el equipo, y para volver a iniciar sesión.',
    ],
    button: ['Set the password', 'Passwort setzen', 'Definir la contraseña'],
    endpoint: 'users.set_password',
    fields: [NEW_PASSWORD],
  },
  [RESET_PATH]: {
    title: ['Set a new password', 'Neues Passwort setzen', 'Definir una contraseña nueva'],
    lead: [
      'All your other sessions will be ended.',
      'Alle Ihre anderen Sitzungen werden beendet.',
      'Se cerrarán todas sus demás sesiones.',
    ],
    button: [
      'Set the password and sign in',
      'Passwort setzen und anmelden',
      'Definir la contraseña e iniciar sesión',
    ],
    endpoint: 'users.confirm_reset',
    fields: [NEW_PASSWORD, CODE],
  },
  [INVITATION_PATH]: {
    title: ['Accept the invitation', 'Einladung annehmen', 'Aceptar la invitación'],
    lead: [
      'If you have an account already, sign in first and leave the fields empty.',
      'Wenn Sie schon ein Konto haben, melden Sie sich zuerst an und lassen Sie die Felder leer.',
      'Si ya tiene una cuenta, inicie sesión primero y deje los campos vacíos.',
    ],
    button: ['Accept', 'Annehmen', 'Aceptar'],
    endpoint: 'users.accept_invitation',
    fields: [
      {
        name: 'name',
        label: ['Your name', 'Ihr Name', 'Su nombre'],
        type: 'text',
        autocomplete: 'name',
        optional: true,
      },
      { ...NEW_PASSWORD, optional: true },
    ],
  },
}

export const PAGE_TEXTS = {
  passkey: [
    'Sign in with a passkey',
    'Mit Passkey anmelden',
    'Iniciar sesión con una llave de acceso',
  ],
  noPasskey: [
    'The browser returned no passkey. Try again, or use your password.',
    'Der Browser gab keinen Passkey zurück. Versuchen Sie es erneut, oder nutzen Sie Ihr Passwort.',
    'El navegador no devolvió ninguna llave. Inténtelo de nuevo o use su contraseña.',
  ],
  forgotHere: [
    'Forgotten password? This server sends no email. An operator can print a link that sets a new password with',
    'Passwort vergessen? Dieser Server sendet keine E-Mail. Wer ihn betreibt, druckt einen Link für ein neues Passwort mit',
    '¿Olvidó su contraseña? Este servidor no envía correo. Quien lo opera puede imprimir un enlace para una nueva con',
  ],
  invites: [
    '{by} invites you to the team of this store.',
    '{by} lädt Sie in das Team dieses Shops ein.',
    '{by} le invita al equipo de esta tienda.',
  ],
  invitedHere: [
    'You are invited to the team of this store.',
    'Sie sind in das Team dieses Shops eingeladen.',
    'Le invitan al equipo de esta tienda.',
  ],
  invitationEnded: [
    'This invitation was used or withdrawn, or is too old. Ask for another one.',
    'Diese Einladung wurde benutzt oder zurückgezogen, oder sie ist zu alt. Bitten Sie um eine neue.',
    'Esta invitación ya se usó, se retiró o es demasiado antigua. Pida otra.',
  ],
  newAccount: [
    'Choose a name and a password for your account.',
    'Wählen Sie einen Namen und ein Passwort für Ihr Konto.',
    'Elija un nombre y una contraseña para su cuenta.',
  ],
  store: ['Store', 'Shop', 'Tienda'],
  invitedAddress: ['Your email', 'Ihre E-Mail', 'Su correo'],
  role: ['Your role', 'Ihre Rolle', 'Su rol'],
  hasAccount: [
    'You have an account already. Sign in first, open this link again, and leave the fields empty.',
    'Sie haben schon ein Konto. Melden Sie sich zuerst an, öffnen Sie diesen Link erneut und lassen Sie die Felder leer.',
    'Ya tiene una cuenta. Inicie sesión primero, abra de nuevo este enlace y deje los campos vacíos.',
  ],
  forgot: ['Forgotten password?', 'Passwort vergessen?', '¿Olvidó su contraseña?'],
  linkEnded: ['This link has ended', 'Dieser Link gilt nicht mehr', 'Este enlace ya no vale'],
  linkEndedLead: [
    'This link was used before, or is older than an hour. An operator can create another one with',
    'Dieser Link wurde schon benutzt oder ist älter als eine Stunde. Wer den Server betreibt, kann einen neuen erzeugen mit',
    'Este enlace ya se usó o tiene más de una hora. Quien opera el servidor puede crear otro con',
  ],
  resetEnded: [
    'This link is wrong, was used before, or is older than an hour.',
    'Dieser Link ist falsch, wurde schon benutzt oder ist älter als eine Stunde.',
    'Este enlace es incorrecto, ya se usó o tiene más de una hora.',
  ],
  anotherReset: ['Ask for another link', 'Einen neuen Link anfordern', 'Pedir otro enlace'],
  linkEndedOthers: [
    'for anyone but the first owner with',
    'für alle außer dem ersten Inhaber mit',
    'para quien no sea el primer propietario, con',
  ],
  withPassword: [
    'Sign in with a password',
    'Mit Passwort anmelden',
    'Iniciar sesión con contraseña',
  ],
  passwordSet: ['Your password is set', 'Ihr Passwort ist gesetzt', 'Su contraseña está definida'],
  passkeysRemain: [
    'These passkeys still sign in to your account. In the settings, delete those that you do not know.',
    'Mit diesen Passkeys kann man sich weiterhin bei Ihrem Konto anmelden. Löschen Sie in den Einstellungen alle, die Sie nicht kennen.',
    'Estas llaves de acceso siguen abriendo su cuenta. En los ajustes, borre las que no conozca.',
  ],
  toDashboard: ['Open the dashboard', 'Zum Dashboard', 'Abrir el panel'],
  requestId: ['Request', 'Anfrage', 'Solicitud'],
  refused: ['This did not work', 'Das ging nicht', 'No ha funcionado'],
} satisfies Record<string, Text>

/** The rights of each role. */
export const ROLE_TEXTS: Readonly<Record<string, Text>> = {
  owner: [
    'Owner: everything, also the team and this server',
    'Inhaber: alles, auch das Team und dieser Server',
    'Propietario: todo, también el equipo y este servidor',
  ],
  admin: [
    'Administrator: everything in the store',
    'Administrator: alles im Shop',
    'Administrador: todo en la tienda',
  ],
  staff: [
    'Staff: orders, customers and support',
    'Mitarbeiter: Bestellungen, Kunden und Support',
    'Personal: pedidos, clientes y atención',
  ],
  viewer: [
    'Viewer: reads, changes nothing',
    'Nur Lesen: ändert nichts',
    'Solo lectura: no cambia nada',
  ],
}

/** The translated texts of refusals as pages. Other refusals have the text of the API. */
export const PAGE_REFUSALS: Readonly<Record<string, { title: Text; text?: Text }>> = {
  NOT_FOUND: {
    title: ['Page not found', 'Seite nicht gefunden', 'Página no encontrada'],
    text: [
      'The dashboard has no page with this URL.',
      'Das Dashboard hat keine Seite mit dieser URL.',
      'El panel no tiene ninguna página con esta URL.',
    ],
  },
  HTTPS_REQUIRED: {
    title: ['Sign-in needs https', 'Anmelden geht nur mit https', 'Se requiere https'],
  },
  SERVICE_UNAVAILABLE: {
    title: ['Not available now', 'Zurzeit nicht verfügbar', 'No disponible ahora'],
    text: [
      'The service is busy or restarting. Load the page again in a few seconds.',
      'Der Dienst ist ausgelastet oder startet neu. Laden Sie die Seite in ein paar Sekunden erneut.',
      'El servicio está ocupado o reiniciándose. Recargue la página en unos segundos.',
    ],
  },
}

/** The translated messages of refused forms. In English the message of the API is shown. */
export const FORM_REFUSALS: Readonly<Record<string, Text>> = {
  SIGN_IN_FAILED: [
    'The email address, the password or the code is wrong.',
    'Die E-Mail-Adresse, das Passwort oder der Code ist falsch.',
    'El correo, la contraseña o el código no son correctos.',
  ],
  CODE_REQUIRED: [
    'Your account needs a code from your authenticator app, or a recovery code.',
    'Ihr Konto braucht einen Code Ihrer Authenticator-App oder einen Wiederherstellungscode.',
    'Su cuenta requiere un código de la aplicación o un código de recuperación.',
  ],
  RATE_LIMITED: [
    'Too many attempts. Wait a few minutes, then try again.',
    'Zu viele Versuche. Warten Sie ein paar Minuten und versuchen Sie es dann erneut.',
    'Demasiados intentos. Espere unos minutos y vuelva a intentarlo.',
  ],
}
