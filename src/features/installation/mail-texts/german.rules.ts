import type { LanguageTexts } from './language-texts.rules.ts'

const GREETING = 'Guten Tag {{customer_name}}!'

export const GERMAN: LanguageTexts = {
  templates: {
    order_received: {
      subject: 'Wir haben Ihre Bestellung {{order_number}} erhalten',
      body_text: `${GREETING}

Vielen Dank für Ihre Bestellung bei {{store_name}}. Sobald Ihre Zahlung über {{total}} eingegangen ist, kümmern wir uns darum.

{{items}}

Gesamtbetrag: {{total}}

Den Stand Ihrer Bestellung sehen Sie jederzeit hier:

{{order_url}}`,
    },
    order_paid: {
      subject: 'Vielen Dank für Ihre Bestellung {{order_number}}',
      body_text: `${GREETING}

Vielen Dank für Ihre Bestellung bei {{store_name}}. Sie ist bezahlt, und um alles Weitere kümmern wir uns.

{{items}}

Gesamtbetrag: {{total}}

Hier sehen Sie den Stand Ihrer Bestellung:

{{order_url}}`,
    },
    order_delivery: {
      subject: 'Ihre Bestellung {{order_number}} ist da',
      body_text: `${GREETING}

Das haben Sie bei {{store_name}} gekauft:

{{keys}}

Alles finden Sie auch auf der Seite Ihrer Bestellung, zusammen mit Ihren Downloads:

{{order_url}}

Ihre Bestellung:

{{items}}

Gesamtbetrag: {{total}}

Bitte bewahren Sie diese E-Mail gut auf: Wer sie hat, kann den Inhalt verwenden.`,
    },
    order_shipped: {
      subject: 'Ihre Bestellung {{order_number}} ist unterwegs',
      body_text: `${GREETING}

Ihr Paket von {{store_name}} ist auf dem Weg zu Ihnen:

{{items}}

{{tracking_url}}

Alles zu Ihrer Bestellung:

{{order_url}}`,
    },
    order_refunded: {
      subject: 'Ihre Erstattung zur Bestellung {{order_number}}',
      body_text: `${GREETING}

Wir haben Ihnen {{amount}} für Ihre Bestellung {{order_number}} bei {{store_name}} erstattet. Je nach Zahlungsart kann es einige Tage dauern, bis das Geld bei Ihnen ist.

{{reason}}

{{order_url}}`,
    },
    payment_partial: {
      subject: 'Ein Teil der Bestellung {{order_number}} ist noch offen',
      body_text: `${GREETING}

Vielen Dank, ein Teil Ihrer Zahlung ist eingegangen. Von {{total}} sind noch {{amount}} offen.

Ihre Bestellung und der offene Betrag:

{{order_url}}`,
    },
    payment_review: {
      subject: 'Wir prüfen Ihre Zahlung zur Bestellung {{order_number}}',
      body_text: `${GREETING}

Vielen Dank, wir haben die Angaben zu Ihrer Zahlung über {{amount}} erhalten. Wir prüfen sie jetzt. Sie müssen nichts tun, und auf der Seite Ihrer Bestellung sehen Sie, wann wir fertig sind:

{{order_url}}`,
    },
    renewal_notice: {
      subject: 'Ihr Abonnement bei {{store_name}} verlängert sich bald',
      body_text: `${GREETING}

Ihr Abonnement verlängert sich bald:

{{items}}

Wenn Sie das nicht möchten, schreiben Sie uns bitte vor diesem Tag.

{{order_url}}`,
    },
    renewal_action: {
      subject: 'Ihre Bank bittet Sie, eine Zahlung zu bestätigen',
      body_text: `${GREETING}

Ihr Abonnement ist fällig, und Ihre Bank möchte, dass Sie die Zahlung über {{amount}} selbst bestätigen:

{{items}}

Bitte bezahlen Sie auf der Seite Ihrer Bestellung, damit Ihr Abonnement weiterläuft:

{{order_url}}`,
    },
    renewal_failed: {
      subject: 'Bitte bezahlen Sie die Verlängerung Ihres Abonnements',
      body_text: `${GREETING}

Ihr Abonnement ist fällig, und die Zahlung über {{amount}} ist noch offen:

{{items}}

Bitte bezahlen Sie sie, damit Ihr Abonnement weiterläuft. Ihre Bestellung:

{{order_url}}`,
    },
    stock_alert: {
      subject: '{{items}} ist wieder verfügbar',
      body_text: `Gute Nachricht: {{items}} ist bei {{store_name}} wieder verfügbar.

{{link}}

Sie erhalten diese eine E-Mail, weil Sie darum gebeten haben.`,
    },
    team_invitation: {
      subject: 'Einladung zu {{store_name}}',
      body_text: `Guten Tag!

Sie sind zum Dashboard von {{store_name}} eingeladen, als {{reason}}.

{{link}}

Die Einladung gilt 7 Tage.`,
    },
    password_reset: {
      subject: 'Neues Passwort festlegen',
      body_text: `Guten Tag!

Jemand, vermutlich Sie, hat ein neues Passwort für das Dashboard von {{store_name}} angefordert. Bitte legen Sie es innerhalb einer Stunde fest:

{{link}}

Wenn Sie es nicht waren, müssen Sie nichts tun: Ihr Passwort bleibt, wie es ist.`,
    },
    email_change: {
      subject: 'Bitte bestätigen Sie Ihre neue E-Mail-Adresse',
      body_text: `Guten Tag!

Sie möchten sich künftig mit dieser Adresse am Dashboard anmelden. Bitte bestätigen Sie sie innerhalb einer Stunde:

{{link}}

Wenn Sie es nicht waren, müssen Sie nichts tun: Keine Adresse ändert sich.`,
    },
    email_changed: {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      body_text: `Guten Tag!

Sie melden sich am Dashboard jetzt mit {{reason}} an, nicht mehr mit dieser Adresse.

Wenn Sie es nicht waren, wenden Sie sich bitte sofort an einen Inhaber Ihres Stores oder an den Betreiber des Servers.`,
    },
  },
  labels: { order_url: 'Bestellung ansehen', tracking_url: 'Paket verfolgen' },
  linkLabels: {
    stock_alert: 'Produkt ansehen',
    team_invitation: 'Einladung annehmen',
    password_reset: 'Neues Passwort festlegen',
    email_change: 'Adresse bestätigen',
  },
  linkLabel: 'Seite öffnen',
  refundReasons: {
    requested_by_customer: 'Grund: Sie haben darum gebeten.',
    duplicate: 'Grund: Die Bestellung wurde zweimal bezahlt.',
    fraudulent: '',
    other: '',
  },
  otherAmount: 'Grund: Die Zahlung entsprach nicht dem Betrag der Bestellung.',
  roles: { owner: 'Inhaber', admin: 'Administrator', staff: 'Mitarbeiter', viewer: 'Betrachter' },
  fileOnOrderPage: (name) => `${name}: zum Herunterladen auf der Seite Ihrer Bestellung`,
  moreKeys: (count) => `und ${count} weitere auf der Seite Ihrer Bestellung`,
  trackingNumber: (number) => `Sendungsnummer: ${number}`,
  renewsOn: (day) => `verlängert sich am ${day}`,
  stopStockMail: 'Wenn Sie keine E-Mails über Verfügbarkeit mehr von uns möchten:',
  sample: { customer_name: 'Ada Lovelace', item: 'Fotoeditor', note: 'Ein Jahr' },
}
