// Written by `npm run samples` from calls of the Store API. Do not edit.
export const SAMPLES: Record<string, { body?: unknown; answer: unknown }> = 
{
  "account.get": {
    "answer": {
      "success": true,
      "account": {
        "store": {
          "id": "a1B2c3D4e5F6",
          "name": "Game shop",
          "slug": "game-shop",
          "currency": "EUR",
          "plan": "self_hosted",
          "livemode": true,
          "created_at": "2026-01-31T09:30:00.000Z"
        },
        "api": {
          "permissions": [
            "account:read",
            "account:write",
            "affiliates:read",
            "affiliates:write",
            "analytics:read",
            "analytics:write",
            "blocklist:read",
            "blocklist:write",
            "categories:read",
            "categories:write",
            "coupons:read",
            "coupons:write",
            "customers:read",
            "customers:write",
            "fulfillment:read",
            "fulfillment:write",
            "groups:read",
            "groups:write",
            "orders:read",
            "orders:write",
            "products:read",
            "products:write",
            "questions:read",
            "questions:write",
            "returns:read",
            "returns:write",
            "reviews:read",
            "reviews:write",
            "stock:read",
            "stock:write",
            "subscriptions:read",
            "subscriptions:write",
            "tickets:read",
            "tickets:write",
            "webhooks:read",
            "webhooks:write"
          ],
          "rate_limit": 0,
          "monthly_quota": null,
          "monthly_used": 1,
          "resets_at": "2026-02-01T00:00:00.000Z"
        },
        "features": {
          "affiliates": false,
          "shipping": true,
          "subscriptions": true
        }
      }
    }
  },
  "account.get_settings": {
    "answer": {
      "success": true,
      "settings": {
        "order_expiry_minutes": 60,
        "auto_review_days": null,
        "return_window_days": 14,
        "time_zone": "UTC",
        "support_email": null,
        "mail_from_name": null,
        "language": "en",
        "mail_api_orders": false,
        "return_address": null
      }
    }
  },
  "account.update_settings": {
    "body": {
      "return_window_days": 30,
      "time_zone": "Europe/Berlin",
      "support_email": "help@example.com"
    },
    "answer": {
      "success": true,
      "settings": {
        "order_expiry_minutes": 60,
        "auto_review_days": null,
        "return_window_days": 30,
        "time_zone": "Europe/Berlin",
        "support_email": "help@example.com",
        "mail_from_name": null,
        "language": "en",
        "mail_api_orders": false,
        "return_address": null
      }
    }
  },
  "account.list_audit_events": {
    "answer": {
      "success": true,
      "audit_events": [
        {
          "id": 1,
          "created_at": "2026-01-31T09:30:00.000Z",
          "actor": {
            "type": "system",
            "id": null,
            "name": null
          },
          "address": null,
          "request_id": null,
          "action": "api_key.create",
          "object": "api_key",
          "object_id": "1",
          "changes": {
            "kind": {
              "to": "security",
              "from": null
            },
            "name": {
              "to": "First key",
              "from": null
            },
            "all_stores": {
              "to": false,
              "from": null
            },
            "rate_limit": {
              "to": 300,
              "from": null
            },
            "allowed_ips": {
              "to": [],
              "from": null
            },
            "permissions": {
              "to": [
                "client_security:read",
                "client_security:write"
              ],
              "from": null
            }
          }
        },
        {
          "id": 2,
          "created_at": "2026-01-31T09:30:00.000Z",
          "actor": {
            "type": "system",
            "id": null,
            "name": null
          },
          "address": null,
          "request_id": null,
          "action": "api_key.create",
          "object": "api_key",
          "object_id": "2",
          "changes": {
            "kind": {
              "to": "store",
              "from": null
            },
            "name": {
              "to": "First key",
              "from": null
            },
            "all_stores": {
              "to": false,
              "from": null
            },
            "rate_limit": {
              "to": 300,
              "from": null
            },
            "allowed_ips": {
              "to": [],
              "from": null
            },
            "permissions": {
              "to": "36 items",
              "from": null
            }
          }
        },
        {
          "id": 3,
          "created_at": "2026-01-31T09:30:00.000Z",
          "actor": {
            "type": "system",
            "id": null,
            "name": null
          },
          "address": null,
          "request_id": null,
          "action": "store.create",
          "object": "store",
          "object_id": "a1B2c3D4e5F6",
          "changes": {
            "name": {
              "to": "Game shop",
              "from": null
            },
            "plan": {
              "to": "self_hosted",
              "from": null
            },
            "slug": {
              "to": "game-shop",
              "from": null
            },
            "currency": {
              "to": "EUR",
              "from": null
            }
          }
        }
      ],
      "next_cursor": null
    }
  },
  "account.list_calls": {
    "answer": {
      "success": true,
      "calls": [],
      "next_cursor": null
    }
  },
  "account.list_outbox": {
    "answer": {
      "success": true,
      "messages": [
        {
          "id": 1,
          "to": "ada@example.com",
          "subject": "Your order 1 is here",
          "template": "order_delivery",
          "status": "queued",
          "order_id": "ord_0350000000000000000000",
          "attempts": 0,
          "error": null,
          "created_at": "2026-01-31T09:30:00.000Z",
          "sent_at": null,
          "bounced_at": null,
          "html": null,
          "text": null
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "account.list_mail_templates": {
    "answer": {
      "success": true,
      "mail_templates": [
        {
          "object": "mail_template",
          "template": "order_received",
          "language": "en",
          "subject": "We received your order {{order_number}}",
          "body_text": "Hello {{customer_name}},\n\nThank you for your order at {{store_name}}. We will start on it as soon as your payment of {{total}} has arrived.\n\n{{items}}\n\nTotal: {{total}}\n\nYou can see the state of your order at any time:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "order_received",
          "language": "de",
          "subject": "Wir haben Ihre Bestellung {{order_number}} erhalten",
          "body_text": "Guten Tag {{customer_name}}!\n\nVielen Dank für Ihre Bestellung bei {{store_name}}. Sobald Ihre Zahlung über {{total}} eingegangen ist, kümmern wir uns darum.\n\n{{items}}\n\nGesamtbetrag: {{total}}\n\nDen Stand Ihrer Bestellung sehen Sie jederzeit hier:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "order_received",
          "language": "es",
          "subject": "Hemos recibido tu pedido {{order_number}}",
          "body_text": "Hola, {{customer_name}}:\n\nGracias por tu pedido en {{store_name}}. Lo prepararemos en cuanto llegue tu pago de {{total}}.\n\n{{items}}\n\nTotal: {{total}}\n\nPuedes ver el estado de tu pedido cuando quieras:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "order_paid",
          "language": "en",
          "subject": "Thank you for your order {{order_number}}",
          "body_text": "Hello {{customer_name}},\n\nThank you for your order at {{store_name}}. It is paid, and we are taking care of the rest.\n\n{{items}}\n\nTotal: {{total}}\n\nYou can follow your order here:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "order_paid",
          "language": "de",
          "subject": "Vielen Dank für Ihre Bestellung {{order_number}}",
          "body_text": "Guten Tag {{customer_name}}!\n\nVielen Dank für Ihre Bestellung bei {{store_name}}. Sie ist bezahlt, und um alles Weitere kümmern wir uns.\n\n{{items}}\n\nGesamtbetrag: {{total}}\n\nHier sehen Sie den Stand Ihrer Bestellung:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "order_paid",
          "language": "es",
          "subject": "Gracias por tu pedido {{order_number}}",
          "body_text": "Hola, {{customer_name}}:\n\nGracias por tu pedido en {{store_name}}. Está pagado y nos encargamos del resto.\n\n{{items}}\n\nTotal: {{total}}\n\nPuedes seguir tu pedido aquí:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "order_delivery",
          "language": "en",
          "subject": "Your order {{order_number}} is here",
          "body_text": "Hello {{customer_name}},\n\nHere is what you bought at {{store_name}}:\n\n{{keys}}\n\nYou will find everything on your order page, including your downloads:\n\n{{order_url}}\n\nYour order:\n\n{{items}}\n\nTotal: {{total}}\n\nKeep this mail in a safe place, because anyone who has it can use what is in it.",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "order_delivery",
          "language": "de",
          "subject": "Ihre Bestellung {{order_number}} ist da",
          "body_text": "Guten Tag {{customer_name}}!\n\nDas haben Sie bei {{store_name}} gekauft:\n\n{{keys}}\n\nAlles finden Sie auch auf der Seite Ihrer Bestellung, zusammen mit Ihren Downloads:\n\n{{order_url}}\n\nIhre Bestellung:\n\n{{items}}\n\nGesamtbetrag: {{total}}\n\nBitte bewahren Sie diese E-Mail gut auf: Wer sie hat, kann den Inhalt verwenden.",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "order_delivery",
          "language": "es",
          "subject": "Aquí tienes tu pedido {{order_number}}",
          "body_text": "Hola, {{customer_name}}:\n\nEsto es lo que has comprado en {{store_name}}:\n\n{{keys}}\n\nEn la página de tu pedido lo encontrarás todo, también tus descargas:\n\n{{order_url}}\n\nTu pedido:\n\n{{items}}\n\nTotal: {{total}}\n\nGuarda este correo en un lugar seguro: quien lo tenga puede usar lo que contiene.",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "order_shipped",
          "language": "en",
          "subject": "Your order {{order_number}} is on its way",
          "body_text": "Hello {{customer_name}},\n\nYour parcel from {{store_name}} is on its way to you:\n\n{{items}}\n\n{{tracking_url}}\n\nAll about your order:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "order_shipped",
          "language": "de",
          "subject": "Ihre Bestellung {{order_number}} ist unterwegs",
          "body_text": "Guten Tag {{customer_name}}!\n\nIhr Paket von {{store_name}} ist auf dem Weg zu Ihnen:\n\n{{items}}\n\n{{tracking_url}}\n\nAlles zu Ihrer Bestellung:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "order_shipped",
          "language": "es",
          "subject": "Tu pedido {{order_number}} está en camino",
          "body_text": "Hola, {{customer_name}}:\n\nTu paquete de {{store_name}} está en camino:\n\n{{items}}\n\n{{tracking_url}}\n\nTodo sobre tu pedido:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "order_refunded",
          "language": "en",
          "subject": "Your refund for order {{order_number}}",
          "body_text": "Hello {{customer_name}},\n\nWe have refunded {{amount}} for your order {{order_number}} at {{store_name}}. Depending on the payment method, it can take a few days until you see the money.\n\n{{reason}}\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "order_refunded",
          "language": "de",
          "subject": "Ihre Erstattung zur Bestellung {{order_number}}",
          "body_text": "Guten Tag {{customer_name}}!\n\nWir haben Ihnen {{amount}} für Ihre Bestellung {{order_number}} bei {{store_name}} erstattet. Je nach Zahlungsart kann es einige Tage dauern, bis das Geld bei Ihnen ist.\n\n{{reason}}\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "order_refunded",
          "language": "es",
          "subject": "Tu reembolso del pedido {{order_number}}",
          "body_text": "Hola, {{customer_name}}:\n\nTe hemos reembolsado {{amount}} de tu pedido {{order_number}} en {{store_name}}. Según el método de pago, el dinero puede tardar unos días en llegar.\n\n{{reason}}\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "payment_partial",
          "language": "en",
          "subject": "A part of order {{order_number}} is still to be paid",
          "body_text": "Hello {{customer_name}},\n\nThank you, we have received a part of your payment. {{amount}} of {{total}} is still to be paid.\n\nYour order and what is open:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "payment_partial",
          "language": "de",
          "subject": "Ein Teil der Bestellung {{order_number}} ist noch offen",
          "body_text": "Guten Tag {{customer_name}}!\n\nVielen Dank, ein Teil Ihrer Zahlung ist eingegangen. Von {{total}} sind noch {{amount}} offen.\n\nIhre Bestellung und der offene Betrag:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "payment_partial",
          "language": "es",
          "subject": "Queda por pagar una parte del pedido {{order_number}}",
          "body_text": "Hola, {{customer_name}}:\n\nGracias, hemos recibido una parte de tu pago. De {{total}} quedan por pagar {{amount}}.\n\nTu pedido y lo que queda por pagar:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "payment_review",
          "language": "en",
          "subject": "We are checking your payment for order {{order_number}}",
          "body_text": "Hello {{customer_name}},\n\nThank you, we have received the details of your payment of {{amount}}. We are checking it now. You do not need to do anything, and your order page shows when we have finished:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "payment_review",
          "language": "de",
          "subject": "Wir prüfen Ihre Zahlung zur Bestellung {{order_number}}",
          "body_text": "Guten Tag {{customer_name}}!\n\nVielen Dank, wir haben die Angaben zu Ihrer Zahlung über {{amount}} erhalten. Wir prüfen sie jetzt. Sie müssen nichts tun, und auf der Seite Ihrer Bestellung sehen Sie, wann wir fertig sind:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "payment_review",
          "language": "es",
          "subject": "Estamos revisando tu pago del pedido {{order_number}}",
          "body_text": "Hola, {{customer_name}}:\n\nGracias, hemos recibido los datos de tu pago de {{amount}}. Lo estamos revisando. No tienes que hacer nada, y en la página de tu pedido verás cuándo hemos terminado:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "renewal_notice",
          "language": "en",
          "subject": "Your subscription at {{store_name}} renews soon",
          "body_text": "Hello {{customer_name}},\n\nYour subscription renews soon:\n\n{{items}}\n\nIf you do not want that, write to us before that day.\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "renewal_notice",
          "language": "de",
          "subject": "Ihr Abonnement bei {{store_name}} verlängert sich bald",
          "body_text": "Guten Tag {{customer_name}}!\n\nIhr Abonnement verlängert sich bald:\n\n{{items}}\n\nWenn Sie das nicht möchten, schreiben Sie uns bitte vor diesem Tag.\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "renewal_notice",
          "language": "es",
          "subject": "Tu suscripción en {{store_name}} se renueva pronto",
          "body_text": "Hola, {{customer_name}}:\n\nTu suscripción se renueva pronto:\n\n{{items}}\n\nSi no lo quieres, escríbenos antes de ese día.\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "renewal_action",
          "language": "en",
          "subject": "Your bank asks you to confirm a payment",
          "body_text": "Hello {{customer_name}},\n\nYour subscription is due, and your bank wants you to confirm the payment of {{amount}} yourself:\n\n{{items}}\n\nPlease pay it on the page of your order, so that your subscription continues:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "renewal_action",
          "language": "de",
          "subject": "Ihre Bank bittet Sie, eine Zahlung zu bestätigen",
          "body_text": "Guten Tag {{customer_name}}!\n\nIhr Abonnement ist fällig, und Ihre Bank möchte, dass Sie die Zahlung über {{amount}} selbst bestätigen:\n\n{{items}}\n\nBitte bezahlen Sie auf der Seite Ihrer Bestellung, damit Ihr Abonnement weiterläuft:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "renewal_action",
          "language": "es",
          "subject": "Tu banco te pide que confirmes un pago",
          "body_text": "Hola, {{customer_name}}:\n\nTu suscripción ha vencido y tu banco quiere que confirmes tú el pago de {{amount}}:\n\n{{items}}\n\nPaga en la página de tu pedido para que tu suscripción continúe:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "renewal_failed",
          "language": "en",
          "subject": "Please pay the renewal of your subscription",
          "body_text": "Hello {{customer_name}},\n\nYour subscription is due, and the payment of {{amount}} is still open:\n\n{{items}}\n\nPlease pay it, so that your subscription continues. Your order:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "renewal_failed",
          "language": "de",
          "subject": "Bitte bezahlen Sie die Verlängerung Ihres Abonnements",
          "body_text": "Guten Tag {{customer_name}}!\n\nIhr Abonnement ist fällig, und die Zahlung über {{amount}} ist noch offen:\n\n{{items}}\n\nBitte bezahlen Sie sie, damit Ihr Abonnement weiterläuft. Ihre Bestellung:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "renewal_failed",
          "language": "es",
          "subject": "Paga la renovación de tu suscripción",
          "body_text": "Hola, {{customer_name}}:\n\nTu suscripción ha vencido y el pago de {{amount}} sigue pendiente:\n\n{{items}}\n\nPágalo para que tu suscripción continúe. Tu pedido:\n\n{{order_url}}",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "stock_alert",
          "language": "en",
          "subject": "{{items}} is in stock again",
          "body_text": "Good news: {{items}} is in stock again at {{store_name}}.\n\n{{link}}\n\nYou get this one mail because you asked for it.",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "stock_alert",
          "language": "de",
          "subject": "{{items}} ist wieder verfügbar",
          "body_text": "Gute Nachricht: {{items}} ist bei {{store_name}} wieder verfügbar.\n\n{{link}}\n\nSie erhalten diese eine E-Mail, weil Sie darum gebeten haben.",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "stock_alert",
          "language": "es",
          "subject": "{{items}} vuelve a estar disponible",
          "body_text": "Buenas noticias: {{items}} vuelve a estar disponible en {{store_name}}.\n\n{{link}}\n\nRecibes este único correo porque lo pediste.",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "team_invitation",
          "language": "en",
          "subject": "Join {{store_name}}",
          "body_text": "Hello,\n\nYou are invited to the dashboard of {{store_name}} as {{reason}}.\n\n{{link}}\n\nThe invitation is valid for 7 days.",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "team_invitation",
          "language": "de",
          "subject": "Einladung zu {{store_name}}",
          "body_text": "Guten Tag!\n\nSie sind zum Dashboard von {{store_name}} eingeladen, als {{reason}}.\n\n{{link}}\n\nDie Einladung gilt 7 Tage.",
          "custom": false
        },
        {
          "object": "mail_template",
          "template": "team_invitation",
          "language": "es",
          "subject": "Invitación a {{store_name}}",
          "body_text": "Hola:\n\nTe han invitado al panel de {{store_name}} como {{reason}}.\n\n{{link}}\n\nLa invitación es válida durante 7 días.",
          "custom": false
        }
      ]
    }
  },
  "account.replace_mail_template": {
    "body": {
      "subject": "Thank you for order {{order_number}}",
      "body_text": "Hello {{customer_name}},\n\nThank you for your order.\n\n{{items}}\n\n{{order_url}}"
    },
    "answer": {
      "success": true,
      "mail_template": {
        "object": "mail_template",
        "template": "order_paid",
        "language": "de",
        "subject": "Thank you for order {{order_number}}",
        "body_text": "Hello {{customer_name}},\n\nThank you for your order.\n\n{{items}}\n\n{{order_url}}",
        "custom": true
      }
    }
  },
  "account.restore_mail_template": {
    "answer": {
      "success": true,
      "mail_template": {
        "object": "mail_template",
        "template": "order_paid",
        "language": "de",
        "subject": "Vielen Dank für Ihre Bestellung {{order_number}}",
        "body_text": "Guten Tag {{customer_name}}!\n\nVielen Dank für Ihre Bestellung bei {{store_name}}. Sie ist bezahlt, und um alles Weitere kümmern wir uns.\n\n{{items}}\n\nGesamtbetrag: {{total}}\n\nHier sehen Sie den Stand Ihrer Bestellung:\n\n{{order_url}}",
        "custom": false
      }
    }
  },
  "account.preview_mail_template": {
    "body": {
      "subject": "Thank you for order {{order_number}}",
      "body_text": "Hello {{customer_name}},\n\nThank you for your order.\n\n{{items}}\n\n{{order_url}}"
    },
    "answer": {
      "success": true,
      "subject": "Thank you for order 1042",
      "html": "<!doctype html>\n<html lang=\"de\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"supported-color-schemes\" content=\"light dark\">\n<title>Thank you for order 1042</title>\n<style>@media (prefers-color-scheme: dark) {\n  .page { background-color: #101214 !important }\n  .card { background-color: #1b1e22 !important }\n  .text { color: #e6e8ea !important }\n  .quiet { color: #a3acb5 !important }\n  .line { border-color: #383d43 !important }\n  .button { background-color: #6ea8fe !important }\n  .button a { color: #101214 !important }\n}</style>\n</head>\n<body class=\"page\" bgcolor=\"#f3f4f6\" style=\"margin: 0; padding: 0; background-color: #f3f4f6\">\n<table role=\"presentation\" class=\"page\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" bgcolor=\"#f3f4f6\" style=\"background-color: #f3f4f6\">\n<tr><td align=\"center\" style=\"padding: 24px 12px 24px 12px\">\n<table role=\"presentation\" class=\"card\" width=\"560\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" bgcolor=\"#ffffff\" style=\"width: 100%; max-width: 560px; background-color: #ffffff\">\n<tr><td class=\"text\" style=\"font-family: -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; font-size: 18px; line-height: 24px; font-weight: bold; color: #1f2328; padding: 28px 32px 20px 32px\">Game shop</td></tr>\n<tr><td style=\"padding: 0 32px 20px 32px\"><div class=\"text\" style=\"font-family: -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; font-size: 16px; line-height: 24px; color: #1f2328\">Hello Ada Lovelace,</div></td></tr>\n<tr><td style=\"padding: 0 32px 20px 32px\"><div class=\"text\" style=\"font-family: -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; font-size: 16px; line-height: 24px; color: #1f2328\">Thank you for your order.</div></td></tr>\n<tr><td style=\"padding: 0 32px 20px 32px\"><table width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\"><tr><td class=\"text line\" style=\"font-family: -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; font-size: 16px; line-height: 24px; color: #1f2328; border-top: 1px solid #d9dde1; padding: 8px 0 8px 0\">1 × Fotoeditor (Ein Jahr)</td><td class=\"text line\" align=\"right\" valign=\"top\" style=\"font-family: -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; font-size: 16px; line-height: 24px; color: #1f2328; border-top: 1px solid #d9dde1; padding: 8px 0 8px 12px\">49,00 €</td></tr></table></td></tr>\n<tr><td style=\"padding: 0 32px 20px 32px\"><table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\"><tr><td class=\"button\" bgcolor=\"#0b57d0\" style=\"background-color: #0b57d0; padding: 12px 24px 12px 24px\"><a href=\"https://example.com/order\" style=\"font-family: -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; font-size: 16px; font-weight: bold; color: #ffffff; text-decoration: none\">Bestellung ansehen</a></td></tr></table></td></tr>\n</table>\n<table role=\"presentation\" width=\"560\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" style=\"width: 100%; max-width: 560px\">\n<tr><td class=\"quiet\" align=\"center\" style=\"font-family: -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; font-size: 13px; line-height: 20px; color: #59636e; padding: 16px 32px 0 32px\">Game shop</td></tr>\n</table>\n</td></tr>\n</table>\n</body>\n</html>\n",
      "text": "Hello Ada Lovelace,\n\nThank you for your order.\n\n1 × Fotoeditor (Ein Jahr): 49,00 €\n\nBestellung ansehen:\nhttps://example.com/order\n\n-- \nGame shop"
    }
  },
  "account.test_mail_template": {
    "body": {
      "to": "ada@example.com"
    },
    "answer": {
      "success": true,
      "to": "ada@example.com"
    }
  },
  "account.get_wallet": {
    "answer": {
      "success": true,
      "wallet": {
        "object": "wallet",
        "currency": "EUR",
        "paid_cents": 100000,
        "refunded_cents": 0,
        "pending_cents": 0,
        "withdrawn_cents": 0,
        "available_cents": 100000
      }
    }
  },
  "account.list_ledger": {
    "answer": {
      "success": true,
      "entries": [
        {
          "id": "withdrawal_1",
          "at": "2026-01-31T09:30:00.000Z",
          "account": "wallet",
          "amount_cents": -100,
          "currency": "EUR",
          "order_id": null,
          "reason": "withdrawal"
        },
        {
          "id": "payment_1",
          "at": "2026-01-31T09:30:00.000Z",
          "account": "wallet",
          "amount_cents": 100000,
          "currency": "EUR",
          "order_id": "ord_0350000000000000000002",
          "reason": "payment"
        }
      ],
      "next_cursor": null
    }
  },
  "account.list_withdrawals": {
    "answer": {
      "success": true,
      "withdrawals": [
        {
          "id": 1,
          "object": "withdrawal",
          "amount_cents": 100,
          "fee_cents": 0,
          "net_cents": 100,
          "currency": "EUR",
          "method": "bank_transfer",
          "address": "GB29NWBK60161331926819",
          "status": "pending",
          "reference": null,
          "failure_reason": null,
          "created_at": "2026-01-31T09:30:00.000Z",
          "completed_at": null
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "account.create_withdrawal": {
    "body": {
      "amount_cents": 50000,
      "fee_cents": 250,
      "method": "bank_transfer",
      "address": "GB29NWBK60161331926819"
    },
    "answer": {
      "success": true,
      "withdrawal": {
        "id": 1,
        "object": "withdrawal",
        "amount_cents": 50000,
        "fee_cents": 250,
        "net_cents": 49750,
        "currency": "EUR",
        "method": "bank_transfer",
        "address": "GB29NWBK60161331926819",
        "status": "pending",
        "reference": null,
        "failure_reason": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "completed_at": null
      }
    }
  },
  "account.get_withdrawal": {
    "answer": {
      "success": true,
      "withdrawal": {
        "id": 1,
        "object": "withdrawal",
        "amount_cents": 100,
        "fee_cents": 0,
        "net_cents": 100,
        "currency": "EUR",
        "method": "bank_transfer",
        "address": "GB29NWBK60161331926819",
        "status": "pending",
        "reference": null,
        "failure_reason": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "completed_at": null
      }
    }
  },
  "account.process_withdrawal": {
    "body": {
      "reference": "Transfer 4712"
    },
    "answer": {
      "success": true,
      "withdrawal": {
        "id": 1,
        "object": "withdrawal",
        "amount_cents": 100,
        "fee_cents": 0,
        "net_cents": 100,
        "currency": "EUR",
        "method": "bank_transfer",
        "address": "GB29NWBK60161331926819",
        "status": "processing",
        "reference": "Transfer 4712",
        "failure_reason": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "completed_at": null
      }
    }
  },
  "account.complete_withdrawal": {
    "body": {
      "reference": "Transfer 4712"
    },
    "answer": {
      "success": true,
      "withdrawal": {
        "id": 1,
        "object": "withdrawal",
        "amount_cents": 100,
        "fee_cents": 0,
        "net_cents": 100,
        "currency": "EUR",
        "method": "bank_transfer",
        "address": "GB29NWBK60161331926819",
        "status": "completed",
        "reference": "Transfer 4712",
        "failure_reason": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "completed_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "account.fail_withdrawal": {
    "body": {
      "reason": "The bank refused the account number."
    },
    "answer": {
      "success": true,
      "withdrawal": {
        "id": 1,
        "object": "withdrawal",
        "amount_cents": 100,
        "fee_cents": 0,
        "net_cents": 100,
        "currency": "EUR",
        "method": "bank_transfer",
        "address": "GB29NWBK60161331926819",
        "status": "failed",
        "reference": null,
        "failure_reason": "The bank refused the account number.",
        "created_at": "2026-01-31T09:30:00.000Z",
        "completed_at": null
      }
    }
  },
  "account.cancel_withdrawal": {
    "answer": {
      "success": true,
      "withdrawal": {
        "id": 1,
        "object": "withdrawal",
        "amount_cents": 100,
        "fee_cents": 0,
        "net_cents": 100,
        "currency": "EUR",
        "method": "bank_transfer",
        "address": "GB29NWBK60161331926819",
        "status": "cancelled",
        "reference": null,
        "failure_reason": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "completed_at": null
      }
    }
  },
  "account.advance_test_clock": {
    "body": {
      "advance": "90m"
    },
    "answer": {
      "success": true,
      "now": "2026-01-31T11:00:00.000Z"
    }
  },
  "orders.list": {
    "answer": {
      "success": true,
      "orders": [
        {
          "id": "ord_0350000000000000000000",
          "object": "order",
          "number": 1,
          "status": "pending",
          "refund_status": "none",
          "fulfillment_status": "not_required",
          "source": "api",
          "currency": "EUR",
          "subtotal_cents": 1000,
          "discount_cents": 0,
          "shipping_cents": 0,
          "total_cents": 1000,
          "paid_cents": 0,
          "refunded_cents": 0,
          "payment_method": null,
          "customer": {
            "id": 1,
            "email": "ada@example.com",
            "name": null,
            "country": null
          },
          "items": [
            {
              "id": 1,
              "product_id": "a1B2c3D4e5F6",
              "variant_id": 1,
              "name": "Advice",
              "variant_name": "Default",
              "sku": null,
              "delivery_type": "service",
              "quantity": 1,
              "unit_price_cents": 1000,
              "discount_cents": 0,
              "total_cents": 1000,
              "bundle": null
            }
          ],
          "coupon": null,
          "affiliate": null,
          "shipping_address": null,
          "shipping": null,
          "custom_fields": {},
          "metadata": {},
          "note": null,
          "ip": null,
          "user_agent": null,
          "language": "en",
          "expires_at": "2026-01-31T10:30:00.000Z",
          "hold": null,
          "order_url": "https://shop.example.com/s/game-shop/o/ot_EXAMPLE",
          "paid_at": null,
          "completed_at": null,
          "cancelled_at": null,
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false,
        "next_cursor": null
      }
    }
  },
  "customers.list_orders": {
    "answer": {
      "success": true,
      "orders": [
        {
          "id": "ord_0350000000000000000000",
          "object": "order",
          "number": 1,
          "status": "pending",
          "refund_status": "none",
          "fulfillment_status": "not_required",
          "source": "api",
          "currency": "EUR",
          "subtotal_cents": 1000,
          "discount_cents": 0,
          "shipping_cents": 0,
          "total_cents": 1000,
          "paid_cents": 0,
          "refunded_cents": 0,
          "payment_method": null,
          "customer": {
            "id": 1,
            "email": "ada@example.com",
            "name": null,
            "country": null
          },
          "items": [
            {
              "id": 1,
              "product_id": "a1B2c3D4e5F6",
              "variant_id": 1,
              "name": "Advice",
              "variant_name": "Default",
              "sku": null,
              "delivery_type": "service",
              "quantity": 1,
              "unit_price_cents": 1000,
              "discount_cents": 0,
              "total_cents": 1000,
              "bundle": null
            }
          ],
          "coupon": null,
          "affiliate": null,
          "shipping_address": null,
          "shipping": null,
          "custom_fields": {},
          "metadata": {},
          "note": null,
          "ip": null,
          "user_agent": null,
          "language": "en",
          "expires_at": "2026-01-31T10:30:00.000Z",
          "hold": null,
          "order_url": "https://shop.example.com/s/game-shop/o/ot_EXAMPLE",
          "paid_at": null,
          "completed_at": null,
          "cancelled_at": null,
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false,
        "next_cursor": null
      }
    }
  },
  "orders.create": {
    "body": {
      "items": [
        {
          "product_id": "a1B2c3D4e5F6",
          "quantity": 1
        }
      ],
      "customer": {
        "email": "ada@example.com"
      },
      "shipping_address": {
        "name": "Ada",
        "line1": "Street 1",
        "city": "Berlin",
        "country": "DE"
      }
    },
    "answer": {
      "success": true,
      "order": {
        "id": "ord_0350000000000000000000",
        "object": "order",
        "number": 1,
        "status": "pending",
        "refund_status": "none",
        "fulfillment_status": "not_required",
        "source": "api",
        "currency": "EUR",
        "subtotal_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "total_cents": 1000,
        "paid_cents": 0,
        "refunded_cents": 0,
        "payment_method": null,
        "customer": {
          "id": 1,
          "email": "ada@example.com",
          "name": null,
          "country": null
        },
        "items": [
          {
            "id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "name": "Advice",
            "variant_name": "Default",
            "sku": null,
            "delivery_type": "service",
            "quantity": 1,
            "unit_price_cents": 1000,
            "discount_cents": 0,
            "total_cents": 1000,
            "bundle": null
          }
        ],
        "coupon": null,
        "affiliate": null,
        "shipping_address": {
          "name": "Ada",
          "line1": "Street 1",
          "line2": null,
          "city": "Berlin",
          "region": null,
          "postal_code": null,
          "country": "DE",
          "phone": null
        },
        "shipping": null,
        "custom_fields": {},
        "metadata": {},
        "note": null,
        "ip": null,
        "user_agent": null,
        "language": "en",
        "expires_at": "2026-01-31T10:30:00.000Z",
        "hold": null,
        "order_url": "https://shop.example.com/s/game-shop/o/ot_EXAMPLE",
        "paid_at": null,
        "completed_at": null,
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [],
        "refunds": [],
        "deliveries": [],
        "status_history": [
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          }
        ],
        "mail_problem": null
      }
    }
  },
  "orders.get": {
    "answer": {
      "success": true,
      "order": {
        "id": "ord_0350000000000000000000",
        "object": "order",
        "number": 1,
        "status": "pending",
        "refund_status": "none",
        "fulfillment_status": "not_required",
        "source": "api",
        "currency": "EUR",
        "subtotal_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "total_cents": 1000,
        "paid_cents": 0,
        "refunded_cents": 0,
        "payment_method": null,
        "customer": {
          "id": 1,
          "email": "ada@example.com",
          "name": null,
          "country": null
        },
        "items": [
          {
            "id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "name": "Advice",
            "variant_name": "Default",
            "sku": null,
            "delivery_type": "service",
            "quantity": 1,
            "unit_price_cents": 1000,
            "discount_cents": 0,
            "total_cents": 1000,
            "bundle": null
          }
        ],
        "coupon": null,
        "affiliate": null,
        "shipping_address": null,
        "shipping": null,
        "custom_fields": {},
        "metadata": {},
        "note": null,
        "ip": null,
        "user_agent": null,
        "language": "en",
        "expires_at": "2026-01-31T10:30:00.000Z",
        "hold": null,
        "order_url": "https://shop.example.com/s/game-shop/o/ot_EXAMPLE",
        "paid_at": null,
        "completed_at": null,
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [],
        "refunds": [],
        "deliveries": [],
        "status_history": [
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          }
        ],
        "mail_problem": null
      }
    }
  },
  "orders.explain": {
    "answer": {
      "success": true,
      "explanation": {
        "lines": [
          {
            "label": "1 × Advice (Default)",
            "amount_cents": 1000,
            "rule": "1 × 1000, the price of a unit at the time of the order, after the discount of the product."
          }
        ],
        "total_cents": 1000
      }
    }
  },
  "orders.update": {
    "body": {
      "note": "Asked for an invoice."
    },
    "answer": {
      "success": true,
      "order": {
        "id": "ord_0350000000000000000000",
        "object": "order",
        "number": 1,
        "status": "pending",
        "refund_status": "none",
        "fulfillment_status": "not_required",
        "source": "api",
        "currency": "EUR",
        "subtotal_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "total_cents": 1000,
        "paid_cents": 0,
        "refunded_cents": 0,
        "payment_method": null,
        "customer": {
          "id": 1,
          "email": "ada@example.com",
          "name": null,
          "country": null
        },
        "items": [
          {
            "id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "name": "Advice",
            "variant_name": "Default",
            "sku": null,
            "delivery_type": "service",
            "quantity": 1,
            "unit_price_cents": 1000,
            "discount_cents": 0,
            "total_cents": 1000,
            "bundle": null
          }
        ],
        "coupon": null,
        "affiliate": null,
        "shipping_address": null,
        "shipping": null,
        "custom_fields": {},
        "metadata": {},
        "note": "Asked for an invoice.",
        "ip": null,
        "user_agent": null,
        "language": "en",
        "expires_at": "2026-01-31T10:30:00.000Z",
        "hold": null,
        "order_url": "https://shop.example.com/s/game-shop/o/ot_EXAMPLE",
        "paid_at": null,
        "completed_at": null,
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [],
        "refunds": [],
        "deliveries": [],
        "status_history": [
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          }
        ],
        "mail_problem": null
      }
    }
  },
  "orders.hold": {
    "body": {
      "reason": "manual"
    },
    "answer": {
      "success": true,
      "order": {
        "id": "ord_0350000000000000000000",
        "object": "order",
        "number": 1,
        "status": "pending",
        "refund_status": "none",
        "fulfillment_status": "not_required",
        "source": "api",
        "currency": "EUR",
        "subtotal_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "total_cents": 1000,
        "paid_cents": 0,
        "refunded_cents": 0,
        "payment_method": null,
        "customer": {
          "id": 1,
          "email": "ada@example.com",
          "name": null,
          "country": null
        },
        "items": [
          {
            "id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "name": "Advice",
            "variant_name": "Default",
            "sku": null,
            "delivery_type": "service",
            "quantity": 1,
            "unit_price_cents": 1000,
            "discount_cents": 0,
            "total_cents": 1000,
            "bundle": null
          }
        ],
        "coupon": null,
        "affiliate": null,
        "shipping_address": null,
        "shipping": null,
        "custom_fields": {},
        "metadata": {},
        "note": null,
        "ip": null,
        "user_agent": null,
        "language": "en",
        "expires_at": "2026-01-31T10:30:00.000Z",
        "hold": {
          "reason": "manual",
          "since": "2026-01-31T09:30:00.000Z"
        },
        "order_url": "https://shop.example.com/s/game-shop/o/ot_EXAMPLE",
        "paid_at": null,
        "completed_at": null,
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [],
        "refunds": [],
        "deliveries": [],
        "status_history": [
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          }
        ],
        "mail_problem": null
      }
    }
  },
  "orders.release": {
    "answer": {
      "success": true,
      "order": {
        "id": "ord_0350000000000000000000",
        "object": "order",
        "number": 1,
        "status": "pending",
        "refund_status": "none",
        "fulfillment_status": "not_required",
        "source": "api",
        "currency": "EUR",
        "subtotal_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "total_cents": 1000,
        "paid_cents": 0,
        "refunded_cents": 0,
        "payment_method": null,
        "customer": {
          "id": 1,
          "email": "ada@example.com",
          "name": null,
          "country": null
        },
        "items": [
          {
            "id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "name": "Advice",
            "variant_name": "Default",
            "sku": null,
            "delivery_type": "service",
            "quantity": 1,
            "unit_price_cents": 1000,
            "discount_cents": 0,
            "total_cents": 1000,
            "bundle": null
          }
        ],
        "coupon": null,
        "affiliate": null,
        "shipping_address": null,
        "shipping": null,
        "custom_fields": {},
        "metadata": {},
        "note": null,
        "ip": null,
        "user_agent": null,
        "language": "en",
        "expires_at": "2026-01-31T10:30:00.000Z",
        "hold": null,
        "order_url": "https://shop.example.com/s/game-shop/o/ot_EXAMPLE",
        "paid_at": null,
        "completed_at": null,
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [],
        "refunds": [],
        "deliveries": [],
        "status_history": [
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          }
        ],
        "mail_problem": null
      }
    }
  },
  "orders.rotate_link": {
    "answer": {
      "success": true,
      "order": {
        "id": "ord_0350000000000000000000",
        "object": "order",
        "number": 1,
        "status": "pending",
        "refund_status": "none",
        "fulfillment_status": "not_required",
        "source": "api",
        "currency": "EUR",
        "subtotal_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "total_cents": 1000,
        "paid_cents": 0,
        "refunded_cents": 0,
        "payment_method": null,
        "customer": {
          "id": 1,
          "email": "ada@example.com",
          "name": null,
          "country": null
        },
        "items": [
          {
            "id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "name": "Advice",
            "variant_name": "Default",
            "sku": null,
            "delivery_type": "service",
            "quantity": 1,
            "unit_price_cents": 1000,
            "discount_cents": 0,
            "total_cents": 1000,
            "bundle": null
          }
        ],
        "coupon": null,
        "affiliate": null,
        "shipping_address": null,
        "shipping": null,
        "custom_fields": {},
        "metadata": {},
        "note": null,
        "ip": null,
        "user_agent": null,
        "language": "en",
        "expires_at": "2026-01-31T10:30:00.000Z",
        "hold": null,
        "order_url": "https://shop.example.com/s/game-shop/o/ot_EXAMPLE",
        "paid_at": null,
        "completed_at": null,
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [],
        "refunds": [],
        "deliveries": [],
        "status_history": [
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          }
        ],
        "mail_problem": null
      }
    }
  },
  "orders.list_payments": {
    "answer": {
      "success": true,
      "payments": []
    }
  },
  "orders.list_deliveries": {
    "answer": {
      "success": true,
      "deliveries": []
    }
  },
  "orders.list_delivery_keys": {
    "answer": {
      "success": true,
      "keys": [
        "WALK-GGGG-HHHH-0001"
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "orders.deliver": {
    "body": {
      "order_item_id": 1,
      "text": "Monday, 10."
    },
    "answer": {
      "success": true,
      "delivery": {
        "id": 1,
        "object": "delivery",
        "order_id": "ord_0350000000000000000000",
        "order_item_id": 1,
        "product_id": "a1B2c3D4e5F6",
        "variant_id": 1,
        "type": "service",
        "status": "delivered",
        "keys": [],
        "keys_count": 0,
        "files": [],
        "text": "Monday, 10.",
        "error": null,
        "attempts": 1,
        "delivered_at": "2026-01-31T09:30:00.000Z",
        "created_at": "2026-01-31T09:30:00.000Z"
      },
      "order": {
        "id": "ord_0350000000000000000000",
        "object": "order",
        "number": 1,
        "status": "completed",
        "refund_status": "none",
        "fulfillment_status": "not_required",
        "source": "api",
        "currency": "EUR",
        "subtotal_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "total_cents": 1000,
        "paid_cents": 1000,
        "refunded_cents": 0,
        "payment_method": "manual",
        "customer": {
          "id": 1,
          "email": "ada@example.com",
          "name": null,
          "country": null
        },
        "items": [
          {
            "id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "name": "Advice",
            "variant_name": "Default",
            "sku": null,
            "delivery_type": "service",
            "quantity": 1,
            "unit_price_cents": 1000,
            "discount_cents": 0,
            "total_cents": 1000,
            "bundle": null
          }
        ],
        "coupon": null,
        "affiliate": null,
        "shipping_address": null,
        "shipping": null,
        "custom_fields": {},
        "metadata": {},
        "note": null,
        "ip": null,
        "user_agent": null,
        "language": "en",
        "expires_at": null,
        "hold": null,
        "order_url": "https://shop.example.com/s/game-shop/o/ot_EXAMPLE",
        "paid_at": "2026-01-31T09:30:00.000Z",
        "completed_at": "2026-01-31T09:30:00.000Z",
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [
          {
            "id": 1,
            "object": "payment",
            "order_id": "ord_0350000000000000000000",
            "kind": "manual",
            "status": "approved",
            "amount_cents": 1000,
            "currency": "EUR",
            "reference": null,
            "proof_text": null,
            "proof_url": null,
            "note": null,
            "provider": null,
            "external_id": null,
            "checkout_url": null,
            "expires_at": null,
            "failure": null,
            "refunded_cents": null,
            "dispute": null,
            "review_reason": null,
            "fee_cents": null,
            "fee_currency": null,
            "reviewed_at": "2026-01-31T09:30:00.000Z",
            "actor": {
              "type": "api_key",
              "id": "1",
              "name": "First key"
            },
            "reviewed_by": null,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "refunds": [],
        "deliveries": [
          {
            "id": 1,
            "object": "delivery",
            "order_id": "ord_0350000000000000000000",
            "order_item_id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "type": "service",
            "status": "delivered",
            "keys": [],
            "keys_count": 0,
            "files": [],
            "text": "Monday, 10.",
            "error": null,
            "attempts": 1,
            "delivered_at": "2026-01-31T09:30:00.000Z",
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "status_history": [
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          },
          {
            "status": "paid",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          },
          {
            "status": "completed",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          }
        ],
        "mail_problem": null
      }
    }
  },
  "orders.resend_deliveries": {
    "body": {
      "to": "ada@example.com"
    },
    "answer": {
      "success": true,
      "order": {
        "id": "ord_0350000000000000000000",
        "object": "order",
        "number": 1,
        "status": "completed",
        "refund_status": "none",
        "fulfillment_status": "not_required",
        "source": "api",
        "currency": "EUR",
        "subtotal_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "total_cents": 1000,
        "paid_cents": 1000,
        "refunded_cents": 0,
        "payment_method": "manual",
        "customer": {
          "id": 1,
          "email": "ada@example.com",
          "name": null,
          "country": null
        },
        "items": [
          {
            "id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "name": "Game",
            "variant_name": "Default",
            "sku": null,
            "delivery_type": "serial",
            "quantity": 1,
            "unit_price_cents": 1000,
            "discount_cents": 0,
            "total_cents": 1000,
            "bundle": null
          }
        ],
        "coupon": null,
        "affiliate": null,
        "shipping_address": null,
        "shipping": null,
        "custom_fields": {},
        "metadata": {},
        "note": null,
        "ip": null,
        "user_agent": null,
        "language": "en",
        "expires_at": null,
        "hold": null,
        "order_url": "https://shop.example.com/s/game-shop/o/ot_EXAMPLE",
        "paid_at": "2026-01-31T09:30:00.000Z",
        "completed_at": "2026-01-31T09:30:00.000Z",
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [
          {
            "id": 1,
            "object": "payment",
            "order_id": "ord_0350000000000000000000",
            "kind": "manual",
            "status": "approved",
            "amount_cents": 1000,
            "currency": "EUR",
            "reference": null,
            "proof_text": null,
            "proof_url": null,
            "note": null,
            "provider": null,
            "external_id": null,
            "checkout_url": null,
            "expires_at": null,
            "failure": null,
            "refunded_cents": null,
            "dispute": null,
            "review_reason": null,
            "fee_cents": null,
            "fee_currency": null,
            "reviewed_at": "2026-01-31T09:30:00.000Z",
            "actor": {
              "type": "api_key",
              "id": "1",
              "name": "First key"
            },
            "reviewed_by": null,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "refunds": [],
        "deliveries": [
          {
            "id": 1,
            "object": "delivery",
            "order_id": "ord_0350000000000000000000",
            "order_item_id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "type": "serial",
            "status": "delivered",
            "keys": [
              "WALK-EEEE-FFFF-0001"
            ],
            "keys_count": 1,
            "files": [],
            "text": null,
            "error": null,
            "attempts": 1,
            "delivered_at": "2026-01-31T09:30:00.000Z",
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "status_history": [
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          },
          {
            "status": "paid",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          },
          {
            "status": "completed",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          }
        ],
        "mail_problem": null
      }
    }
  },
  "orders.replace_delivery": {
    "body": {
      "key": "WALK-CCCC-DDDD-0001",
      "reason": "It was used before."
    },
    "answer": {
      "success": true,
      "delivery": {
        "id": 1,
        "object": "delivery",
        "order_id": "ord_0350000000000000000000",
        "order_item_id": 1,
        "product_id": "a1B2c3D4e5F6",
        "variant_id": 1,
        "type": "serial",
        "status": "delivered",
        "keys": [
          "WALK-CCCC-DDDD-0002"
        ],
        "keys_count": 1,
        "files": [],
        "text": null,
        "error": null,
        "attempts": 1,
        "delivered_at": "2026-01-31T09:30:00.000Z",
        "created_at": "2026-01-31T09:30:00.000Z"
      },
      "order": {
        "id": "ord_0350000000000000000000",
        "object": "order",
        "number": 1,
        "status": "completed",
        "refund_status": "none",
        "fulfillment_status": "not_required",
        "source": "api",
        "currency": "EUR",
        "subtotal_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "total_cents": 1000,
        "paid_cents": 1000,
        "refunded_cents": 0,
        "payment_method": "manual",
        "customer": {
          "id": 1,
          "email": "ada@example.com",
          "name": null,
          "country": null
        },
        "items": [
          {
            "id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "name": "Game",
            "variant_name": "Default",
            "sku": null,
            "delivery_type": "serial",
            "quantity": 1,
            "unit_price_cents": 1000,
            "discount_cents": 0,
            "total_cents": 1000,
            "bundle": null
          }
        ],
        "coupon": null,
        "affiliate": null,
        "shipping_address": null,
        "shipping": null,
        "custom_fields": {},
        "metadata": {},
        "note": null,
        "ip": null,
        "user_agent": null,
        "language": "en",
        "expires_at": null,
        "hold": null,
        "order_url": "https://shop.example.com/s/game-shop/o/ot_EXAMPLE",
        "paid_at": "2026-01-31T09:30:00.000Z",
        "completed_at": "2026-01-31T09:30:00.000Z",
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [
          {
            "id": 1,
            "object": "payment",
            "order_id": "ord_0350000000000000000000",
            "kind": "manual",
            "status": "approved",
            "amount_cents": 1000,
            "currency": "EUR",
            "reference": null,
            "proof_text": null,
            "proof_url": null,
            "note": null,
            "provider": null,
            "external_id": null,
            "checkout_url": null,
            "expires_at": null,
            "failure": null,
            "refunded_cents": null,
            "dispute": null,
            "review_reason": null,
            "fee_cents": null,
            "fee_currency": null,
            "reviewed_at": "2026-01-31T09:30:00.000Z",
            "actor": {
              "type": "api_key",
              "id": "1",
              "name": "First key"
            },
            "reviewed_by": null,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "refunds": [],
        "deliveries": [
          {
            "id": 2,
            "object": "delivery",
            "order_id": "ord_0350000000000000000000",
            "order_item_id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "type": "serial",
            "status": "replaced",
            "keys": [
              "WALK-CCCC-DDDD-0001"
            ],
            "keys_count": 1,
            "files": [],
            "text": null,
            "error": null,
            "attempts": 1,
            "delivered_at": "2026-01-31T09:30:00.000Z",
            "created_at": "2026-01-31T09:30:00.000Z"
          },
          {
            "id": 1,
            "object": "delivery",
            "order_id": "ord_0350000000000000000000",
            "order_item_id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "type": "serial",
            "status": "delivered",
            "keys": [
              "WALK-CCCC-DDDD-0002"
            ],
            "keys_count": 1,
            "files": [],
            "text": null,
            "error": null,
            "attempts": 1,
            "delivered_at": "2026-01-31T09:30:00.000Z",
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "status_history": [
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          },
          {
            "status": "paid",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          },
          {
            "status": "completed",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          }
        ],
        "mail_problem": null
      }
    }
  },
  "orders.add_manual_payment": {
    "body": {
      "reference": "Transfer 4711"
    },
    "answer": {
      "success": true,
      "payment": {
        "id": 1,
        "object": "payment",
        "order_id": "ord_0350000000000000000000",
        "kind": "manual",
        "status": "approved",
        "amount_cents": 1000,
        "currency": "EUR",
        "reference": "Transfer 4711",
        "proof_text": null,
        "proof_url": null,
        "note": null,
        "provider": null,
        "external_id": null,
        "checkout_url": null,
        "expires_at": null,
        "failure": null,
        "refunded_cents": null,
        "dispute": null,
        "review_reason": null,
        "fee_cents": null,
        "fee_currency": null,
        "reviewed_at": "2026-01-31T09:30:00.000Z",
        "actor": {
          "type": "api_key",
          "id": "1",
          "name": "First key"
        },
        "reviewed_by": null,
        "created_at": "2026-01-31T09:30:00.000Z"
      },
      "order": {
        "id": "ord_0350000000000000000000",
        "object": "order",
        "number": 1,
        "status": "paid",
        "refund_status": "none",
        "fulfillment_status": "not_required",
        "source": "api",
        "currency": "EUR",
        "subtotal_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "total_cents": 1000,
        "paid_cents": 1000,
        "refunded_cents": 0,
        "payment_method": "manual",
        "customer": {
          "id": 1,
          "email": "ada@example.com",
          "name": null,
          "country": null
        },
        "items": [
          {
            "id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "name": "Advice",
            "variant_name": "Default",
            "sku": null,
            "delivery_type": "service",
            "quantity": 1,
            "unit_price_cents": 1000,
            "discount_cents": 0,
            "total_cents": 1000,
            "bundle": null
          }
        ],
        "coupon": null,
        "affiliate": null,
        "shipping_address": null,
        "shipping": null,
        "custom_fields": {},
        "metadata": {},
        "note": null,
        "ip": null,
        "user_agent": null,
        "language": "en",
        "expires_at": null,
        "hold": null,
        "order_url": "https://shop.example.com/s/game-shop/o/ot_EXAMPLE",
        "paid_at": "2026-01-31T09:30:00.000Z",
        "completed_at": null,
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [
          {
            "id": 1,
            "object": "payment",
            "order_id": "ord_0350000000000000000000",
            "kind": "manual",
            "status": "approved",
            "amount_cents": 1000,
            "currency": "EUR",
            "reference": "Transfer 4711",
            "proof_text": null,
            "proof_url": null,
            "note": null,
            "provider": null,
            "external_id": null,
            "checkout_url": null,
            "expires_at": null,
            "failure": null,
            "refunded_cents": null,
            "dispute": null,
            "review_reason": null,
            "fee_cents": null,
            "fee_currency": null,
            "reviewed_at": "2026-01-31T09:30:00.000Z",
            "actor": {
              "type": "api_key",
              "id": "1",
              "name": "First key"
            },
            "reviewed_by": null,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "refunds": [],
        "deliveries": [
          {
            "id": 1,
            "object": "delivery",
            "order_id": "ord_0350000000000000000000",
            "order_item_id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "type": "service",
            "status": "pending",
            "keys": [],
            "keys_count": 0,
            "files": [],
            "text": null,
            "error": null,
            "attempts": 0,
            "delivered_at": null,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "status_history": [
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          },
          {
            "status": "paid",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          }
        ],
        "mail_problem": null
      }
    }
  },
  "orders.add_balance_payment": {
    "body": {
      "amount_cents": 500
    },
    "answer": {
      "success": true,
      "payment": {
        "id": 1,
        "object": "payment",
        "order_id": "ord_0350000000000000000000",
        "kind": "balance",
        "status": "succeeded",
        "amount_cents": 500,
        "currency": "EUR",
        "reference": null,
        "proof_text": null,
        "proof_url": null,
        "note": null,
        "provider": null,
        "external_id": null,
        "checkout_url": null,
        "expires_at": null,
        "failure": null,
        "refunded_cents": null,
        "dispute": null,
        "review_reason": null,
        "fee_cents": null,
        "fee_currency": null,
        "reviewed_at": null,
        "actor": {
          "type": "api_key",
          "id": "1",
          "name": "First key"
        },
        "reviewed_by": null,
        "created_at": "2026-01-31T09:30:00.000Z"
      },
      "order": {
        "id": "ord_0350000000000000000000",
        "object": "order",
        "number": 1,
        "status": "partially_paid",
        "refund_status": "none",
        "fulfillment_status": "not_required",
        "source": "api",
        "currency": "EUR",
        "subtotal_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "total_cents": 1000,
        "paid_cents": 500,
        "refunded_cents": 0,
        "payment_method": "balance",
        "customer": {
          "id": 1,
          "email": "ada@example.com",
          "name": null,
          "country": null
        },
        "items": [
          {
            "id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "name": "Advice",
            "variant_name": "Default",
            "sku": null,
            "delivery_type": "service",
            "quantity": 1,
            "unit_price_cents": 1000,
            "discount_cents": 0,
            "total_cents": 1000,
            "bundle": null
          }
        ],
        "coupon": null,
        "affiliate": null,
        "shipping_address": null,
        "shipping": null,
        "custom_fields": {},
        "metadata": {},
        "note": null,
        "ip": null,
        "user_agent": null,
        "language": "en",
        "expires_at": "2026-01-31T10:30:00.000Z",
        "hold": null,
        "order_url": "https://shop.example.com/s/game-shop/o/ot_EXAMPLE",
        "paid_at": null,
        "completed_at": null,
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [
          {
            "id": 1,
            "object": "payment",
            "order_id": "ord_0350000000000000000000",
            "kind": "balance",
            "status": "succeeded",
            "amount_cents": 500,
            "currency": "EUR",
            "reference": null,
            "proof_text": null,
            "proof_url": null,
            "note": null,
            "provider": null,
            "external_id": null,
            "checkout_url": null,
            "expires_at": null,
            "failure": null,
            "refunded_cents": null,
            "dispute": null,
            "review_reason": null,
            "fee_cents": null,
            "fee_currency": null,
            "reviewed_at": null,
            "actor": {
              "type": "api_key",
              "id": "1",
              "name": "First key"
            },
            "reviewed_by": null,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "refunds": [],
        "deliveries": [],
        "status_history": [
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          },
          {
            "status": "partially_paid",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          }
        ],
        "mail_problem": null
      }
    }
  },
  "orders.cancel": {
    "body": {
      "reason": "The customer asked."
    },
    "answer": {
      "success": true,
      "order": {
        "id": "ord_0350000000000000000000",
        "object": "order",
        "number": 1,
        "status": "cancelled",
        "refund_status": "none",
        "fulfillment_status": "not_required",
        "source": "api",
        "currency": "EUR",
        "subtotal_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "total_cents": 1000,
        "paid_cents": 0,
        "refunded_cents": 0,
        "payment_method": null,
        "customer": {
          "id": 1,
          "email": "ada@example.com",
          "name": null,
          "country": null
        },
        "items": [
          {
            "id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "name": "Advice",
            "variant_name": "Default",
            "sku": null,
            "delivery_type": "service",
            "quantity": 1,
            "unit_price_cents": 1000,
            "discount_cents": 0,
            "total_cents": 1000,
            "bundle": null
          }
        ],
        "coupon": null,
        "affiliate": null,
        "shipping_address": null,
        "shipping": null,
        "custom_fields": {},
        "metadata": {},
        "note": null,
        "ip": null,
        "user_agent": null,
        "language": "en",
        "expires_at": null,
        "hold": null,
        "order_url": "https://shop.example.com/s/game-shop/o/ot_EXAMPLE",
        "paid_at": null,
        "completed_at": null,
        "cancelled_at": "2026-01-31T09:30:00.000Z",
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [],
        "refunds": [],
        "deliveries": [],
        "status_history": [
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          },
          {
            "status": "cancelled",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": "The customer asked."
          }
        ],
        "mail_problem": null
      }
    }
  },
  "orders.start_payment": {
    "body": {
      "method": "test",
      "return_url": "https://shop.example.com/thanks"
    },
    "answer": {
      "success": true,
      "payment": {
        "id": 1,
        "object": "payment",
        "order_id": "ord_0350000000000000000000",
        "kind": "test",
        "status": "pending",
        "amount_cents": 1000,
        "currency": "EUR",
        "reference": null,
        "proof_text": null,
        "proof_url": null,
        "note": null,
        "provider": "test",
        "external_id": "test_1",
        "checkout_url": "https://shop.example.com/t/game-shop/pay/EXAMPLE",
        "expires_at": "2026-01-31T10:30:00.000Z",
        "failure": null,
        "refunded_cents": 0,
        "dispute": null,
        "review_reason": null,
        "fee_cents": null,
        "fee_currency": null,
        "reviewed_at": null,
        "actor": {
          "type": "api_key",
          "id": "1",
          "name": "First key"
        },
        "reviewed_by": null,
        "created_at": "2026-01-31T09:30:00.000Z"
      },
      "order": {
        "id": "ord_0350000000000000000000",
        "object": "order",
        "number": 1,
        "status": "pending",
        "refund_status": "none",
        "fulfillment_status": "not_required",
        "source": "api",
        "currency": "EUR",
        "subtotal_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "total_cents": 1000,
        "paid_cents": 0,
        "refunded_cents": 0,
        "payment_method": null,
        "customer": {
          "id": 1,
          "email": "ada@example.com",
          "name": null,
          "country": null
        },
        "items": [
          {
            "id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "name": "Advice",
            "variant_name": "Default",
            "sku": null,
            "delivery_type": "service",
            "quantity": 1,
            "unit_price_cents": 1000,
            "discount_cents": 0,
            "total_cents": 1000,
            "bundle": null
          }
        ],
        "coupon": null,
        "affiliate": null,
        "shipping_address": null,
        "shipping": null,
        "custom_fields": {},
        "metadata": {},
        "note": null,
        "ip": null,
        "user_agent": null,
        "language": "en",
        "expires_at": "2026-01-31T10:30:00.000Z",
        "hold": null,
        "order_url": "https://shop.example.com/t/game-shop/o/ot_EXAMPLE",
        "paid_at": null,
        "completed_at": null,
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [
          {
            "id": 1,
            "object": "payment",
            "order_id": "ord_0350000000000000000000",
            "kind": "test",
            "status": "pending",
            "amount_cents": 1000,
            "currency": "EUR",
            "reference": null,
            "proof_text": null,
            "proof_url": null,
            "note": null,
            "provider": "test",
            "external_id": "test_1",
            "checkout_url": "https://shop.example.com/t/game-shop/pay/EXAMPLE",
            "expires_at": "2026-01-31T10:30:00.000Z",
            "failure": null,
            "refunded_cents": 0,
            "dispute": null,
            "review_reason": null,
            "fee_cents": null,
            "fee_currency": null,
            "reviewed_at": null,
            "actor": {
              "type": "api_key",
              "id": "1",
              "name": "First key"
            },
            "reviewed_by": null,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "refunds": [],
        "deliveries": [],
        "status_history": [
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          }
        ],
        "mail_problem": null
      }
    }
  },
  "orders.cancel_payment": {
    "answer": {
      "success": true,
      "payment": {
        "id": 1,
        "object": "payment",
        "order_id": "ord_0350000000000000000000",
        "kind": "test",
        "status": "cancelled",
        "amount_cents": 1000,
        "currency": "EUR",
        "reference": null,
        "proof_text": null,
        "proof_url": null,
        "note": null,
        "provider": "test",
        "external_id": "test_1",
        "checkout_url": "https://shop.example.com/t/game-shop/pay/EXAMPLE",
        "expires_at": "2026-01-31T10:30:00.000Z",
        "failure": null,
        "refunded_cents": 0,
        "dispute": null,
        "review_reason": null,
        "fee_cents": null,
        "fee_currency": null,
        "reviewed_at": null,
        "actor": {
          "type": "api_key",
          "id": "1",
          "name": "First key"
        },
        "reviewed_by": null,
        "created_at": "2026-01-31T09:30:00.000Z"
      },
      "order": {
        "id": "ord_0350000000000000000000",
        "object": "order",
        "number": 1,
        "status": "pending",
        "refund_status": "none",
        "fulfillment_status": "not_required",
        "source": "api",
        "currency": "EUR",
        "subtotal_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "total_cents": 1000,
        "paid_cents": 0,
        "refunded_cents": 0,
        "payment_method": null,
        "customer": {
          "id": 1,
          "email": "ada@example.com",
          "name": null,
          "country": null
        },
        "items": [
          {
            "id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "name": "Game",
            "variant_name": "Default",
            "sku": null,
            "delivery_type": "service",
            "quantity": 1,
            "unit_price_cents": 1000,
            "discount_cents": 0,
            "total_cents": 1000,
            "bundle": null
          }
        ],
        "coupon": null,
        "affiliate": null,
        "shipping_address": null,
        "shipping": null,
        "custom_fields": {},
        "metadata": {},
        "note": null,
        "ip": null,
        "user_agent": null,
        "language": "en",
        "expires_at": "2026-01-31T10:30:00.000Z",
        "hold": null,
        "order_url": "https://shop.example.com/t/game-shop/o/ot_EXAMPLE",
        "paid_at": null,
        "completed_at": null,
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [
          {
            "id": 1,
            "object": "payment",
            "order_id": "ord_0350000000000000000000",
            "kind": "test",
            "status": "cancelled",
            "amount_cents": 1000,
            "currency": "EUR",
            "reference": null,
            "proof_text": null,
            "proof_url": null,
            "note": null,
            "provider": "test",
            "external_id": "test_1",
            "checkout_url": "https://shop.example.com/t/game-shop/pay/EXAMPLE",
            "expires_at": "2026-01-31T10:30:00.000Z",
            "failure": null,
            "refunded_cents": 0,
            "dispute": null,
            "review_reason": null,
            "fee_cents": null,
            "fee_currency": null,
            "reviewed_at": null,
            "actor": {
              "type": "api_key",
              "id": "1",
              "name": "First key"
            },
            "reviewed_by": null,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "refunds": [],
        "deliveries": [],
        "status_history": [
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          }
        ],
        "mail_problem": null
      }
    }
  },
  "orders.refresh_payment": {
    "answer": {
      "success": true,
      "payment": {
        "id": 1,
        "object": "payment",
        "order_id": "ord_0350000000000000000000",
        "kind": "test",
        "status": "succeeded",
        "amount_cents": 1000,
        "currency": "EUR",
        "reference": null,
        "proof_text": null,
        "proof_url": null,
        "note": null,
        "provider": "test",
        "external_id": "test_1",
        "checkout_url": "https://shop.example.com/t/game-shop/pay/EXAMPLE",
        "expires_at": "2026-01-31T10:30:00.000Z",
        "failure": null,
        "refunded_cents": 0,
        "dispute": null,
        "review_reason": null,
        "fee_cents": null,
        "fee_currency": null,
        "reviewed_at": "2026-01-31T09:30:00.000Z",
        "actor": {
          "type": "api_key",
          "id": "1",
          "name": "First key"
        },
        "reviewed_by": null,
        "created_at": "2026-01-31T09:30:00.000Z"
      },
      "order": {
        "id": "ord_0350000000000000000000",
        "object": "order",
        "number": 1,
        "status": "paid",
        "refund_status": "none",
        "fulfillment_status": "not_required",
        "source": "api",
        "currency": "EUR",
        "subtotal_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "total_cents": 1000,
        "paid_cents": 1000,
        "refunded_cents": 0,
        "payment_method": "test",
        "customer": {
          "id": 1,
          "email": "ada@example.com",
          "name": null,
          "country": null
        },
        "items": [
          {
            "id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "name": "Game",
            "variant_name": "Default",
            "sku": null,
            "delivery_type": "service",
            "quantity": 1,
            "unit_price_cents": 1000,
            "discount_cents": 0,
            "total_cents": 1000,
            "bundle": null
          }
        ],
        "coupon": null,
        "affiliate": null,
        "shipping_address": null,
        "shipping": null,
        "custom_fields": {},
        "metadata": {},
        "note": null,
        "ip": null,
        "user_agent": null,
        "language": "en",
        "expires_at": null,
        "hold": null,
        "order_url": "https://shop.example.com/t/game-shop/o/ot_EXAMPLE",
        "paid_at": "2026-01-31T09:30:00.000Z",
        "completed_at": null,
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [
          {
            "id": 1,
            "object": "payment",
            "order_id": "ord_0350000000000000000000",
            "kind": "test",
            "status": "succeeded",
            "amount_cents": 1000,
            "currency": "EUR",
            "reference": null,
            "proof_text": null,
            "proof_url": null,
            "note": null,
            "provider": "test",
            "external_id": "test_1",
            "checkout_url": "https://shop.example.com/t/game-shop/pay/EXAMPLE",
            "expires_at": "2026-01-31T10:30:00.000Z",
            "failure": null,
            "refunded_cents": 0,
            "dispute": null,
            "review_reason": null,
            "fee_cents": null,
            "fee_currency": null,
            "reviewed_at": "2026-01-31T09:30:00.000Z",
            "actor": {
              "type": "api_key",
              "id": "1",
              "name": "First key"
            },
            "reviewed_by": null,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "refunds": [],
        "deliveries": [
          {
            "id": 1,
            "object": "delivery",
            "order_id": "ord_0350000000000000000000",
            "order_item_id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "type": "service",
            "status": "pending",
            "keys": [],
            "keys_count": 0,
            "files": [],
            "text": null,
            "error": null,
            "attempts": 0,
            "delivered_at": null,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "status_history": [
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          },
          {
            "status": "paid",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          }
        ],
        "mail_problem": null
      }
    }
  },
  "orders.simulate_payment": {
    "body": {
      "do": "pay",
      "callback": "twice"
    },
    "answer": {
      "success": true,
      "payment": {
        "id": 1,
        "object": "payment",
        "order_id": "ord_0350000000000000000000",
        "kind": "test",
        "status": "succeeded",
        "amount_cents": 1000,
        "currency": "EUR",
        "reference": null,
        "proof_text": null,
        "proof_url": null,
        "note": null,
        "provider": "test",
        "external_id": "test_1",
        "checkout_url": "https://shop.example.com/t/game-shop/pay/EXAMPLE",
        "expires_at": "2026-01-31T10:30:00.000Z",
        "failure": null,
        "refunded_cents": 0,
        "dispute": null,
        "review_reason": null,
        "fee_cents": null,
        "fee_currency": null,
        "reviewed_at": "2026-01-31T09:30:00.000Z",
        "actor": {
          "type": "api_key",
          "id": "1",
          "name": "First key"
        },
        "reviewed_by": null,
        "created_at": "2026-01-31T09:30:00.000Z"
      },
      "order": {
        "id": "ord_0350000000000000000000",
        "object": "order",
        "number": 1,
        "status": "paid",
        "refund_status": "none",
        "fulfillment_status": "not_required",
        "source": "api",
        "currency": "EUR",
        "subtotal_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "total_cents": 1000,
        "paid_cents": 1000,
        "refunded_cents": 0,
        "payment_method": "test",
        "customer": {
          "id": 1,
          "email": "ada@example.com",
          "name": null,
          "country": null
        },
        "items": [
          {
            "id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "name": "Game",
            "variant_name": "Default",
            "sku": null,
            "delivery_type": "service",
            "quantity": 1,
            "unit_price_cents": 1000,
            "discount_cents": 0,
            "total_cents": 1000,
            "bundle": null
          }
        ],
        "coupon": null,
        "affiliate": null,
        "shipping_address": null,
        "shipping": null,
        "custom_fields": {},
        "metadata": {},
        "note": null,
        "ip": null,
        "user_agent": null,
        "language": "en",
        "expires_at": null,
        "hold": null,
        "order_url": "https://shop.example.com/t/game-shop/o/ot_EXAMPLE",
        "paid_at": "2026-01-31T09:30:00.000Z",
        "completed_at": null,
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [
          {
            "id": 1,
            "object": "payment",
            "order_id": "ord_0350000000000000000000",
            "kind": "test",
            "status": "succeeded",
            "amount_cents": 1000,
            "currency": "EUR",
            "reference": null,
            "proof_text": null,
            "proof_url": null,
            "note": null,
            "provider": "test",
            "external_id": "test_1",
            "checkout_url": "https://shop.example.com/t/game-shop/pay/EXAMPLE",
            "expires_at": "2026-01-31T10:30:00.000Z",
            "failure": null,
            "refunded_cents": 0,
            "dispute": null,
            "review_reason": null,
            "fee_cents": null,
            "fee_currency": null,
            "reviewed_at": "2026-01-31T09:30:00.000Z",
            "actor": {
              "type": "api_key",
              "id": "1",
              "name": "First key"
            },
            "reviewed_by": null,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "refunds": [],
        "deliveries": [
          {
            "id": 1,
            "object": "delivery",
            "order_id": "ord_0350000000000000000000",
            "order_item_id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "type": "service",
            "status": "pending",
            "keys": [],
            "keys_count": 0,
            "files": [],
            "text": null,
            "error": null,
            "attempts": 0,
            "delivered_at": null,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "status_history": [
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          },
          {
            "status": "paid",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          }
        ],
        "mail_problem": null
      }
    }
  },
  "orders.approve_manual_payment": {
    "body": {
      "note": "Seen on the account."
    },
    "answer": {
      "success": true,
      "payment": {
        "id": 1,
        "object": "payment",
        "order_id": "ord_0350000000000000000000",
        "kind": "manual",
        "status": "approved",
        "amount_cents": 1000,
        "currency": "EUR",
        "reference": null,
        "proof_text": null,
        "proof_url": null,
        "note": "Seen on the account.",
        "provider": null,
        "external_id": null,
        "checkout_url": null,
        "expires_at": null,
        "failure": null,
        "refunded_cents": null,
        "dispute": null,
        "review_reason": null,
        "fee_cents": null,
        "fee_currency": null,
        "reviewed_at": "2026-01-31T09:30:00.000Z",
        "actor": {
          "type": "api_key",
          "id": "1",
          "name": "First key"
        },
        "reviewed_by": {
          "type": "api_key",
          "id": "1",
          "name": "First key"
        },
        "created_at": "2026-01-31T09:30:00.000Z"
      },
      "order": {
        "id": "ord_0350000000000000000000",
        "object": "order",
        "number": 1,
        "status": "paid",
        "refund_status": "none",
        "fulfillment_status": "not_required",
        "source": "api",
        "currency": "EUR",
        "subtotal_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "total_cents": 1000,
        "paid_cents": 1000,
        "refunded_cents": 0,
        "payment_method": "manual",
        "customer": {
          "id": 1,
          "email": "ada@example.com",
          "name": null,
          "country": null
        },
        "items": [
          {
            "id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "name": "Advice",
            "variant_name": "Default",
            "sku": null,
            "delivery_type": "service",
            "quantity": 1,
            "unit_price_cents": 1000,
            "discount_cents": 0,
            "total_cents": 1000,
            "bundle": null
          }
        ],
        "coupon": null,
        "affiliate": null,
        "shipping_address": null,
        "shipping": null,
        "custom_fields": {},
        "metadata": {},
        "note": null,
        "ip": null,
        "user_agent": null,
        "language": "en",
        "expires_at": null,
        "hold": null,
        "order_url": "https://shop.example.com/s/game-shop/o/ot_EXAMPLE",
        "paid_at": "2026-01-31T09:30:00.000Z",
        "completed_at": null,
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [
          {
            "id": 1,
            "object": "payment",
            "order_id": "ord_0350000000000000000000",
            "kind": "manual",
            "status": "approved",
            "amount_cents": 1000,
            "currency": "EUR",
            "reference": null,
            "proof_text": null,
            "proof_url": null,
            "note": "Seen on the account.",
            "provider": null,
            "external_id": null,
            "checkout_url": null,
            "expires_at": null,
            "failure": null,
            "refunded_cents": null,
            "dispute": null,
            "review_reason": null,
            "fee_cents": null,
            "fee_currency": null,
            "reviewed_at": "2026-01-31T09:30:00.000Z",
            "actor": {
              "type": "api_key",
              "id": "1",
              "name": "First key"
            },
            "reviewed_by": {
              "type": "api_key",
              "id": "1",
              "name": "First key"
            },
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "refunds": [],
        "deliveries": [
          {
            "id": 1,
            "object": "delivery",
            "order_id": "ord_0350000000000000000000",
            "order_item_id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "type": "service",
            "status": "pending",
            "keys": [],
            "keys_count": 0,
            "files": [],
            "text": null,
            "error": null,
            "attempts": 0,
            "delivered_at": null,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "status_history": [
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          },
          {
            "status": "manual_review",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          },
          {
            "status": "paid",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          }
        ],
        "mail_problem": null
      }
    }
  },
  "orders.reject_manual_payment": {
    "body": {
      "note": "Nothing arrived."
    },
    "answer": {
      "success": true,
      "payment": {
        "id": 1,
        "object": "payment",
        "order_id": "ord_0350000000000000000000",
        "kind": "manual",
        "status": "rejected",
        "amount_cents": 1000,
        "currency": "EUR",
        "reference": null,
        "proof_text": null,
        "proof_url": null,
        "note": "Nothing arrived.",
        "provider": null,
        "external_id": null,
        "checkout_url": null,
        "expires_at": null,
        "failure": null,
        "refunded_cents": null,
        "dispute": null,
        "review_reason": null,
        "fee_cents": null,
        "fee_currency": null,
        "reviewed_at": "2026-01-31T09:30:00.000Z",
        "actor": {
          "type": "api_key",
          "id": "1",
          "name": "First key"
        },
        "reviewed_by": {
          "type": "api_key",
          "id": "1",
          "name": "First key"
        },
        "created_at": "2026-01-31T09:30:00.000Z"
      },
      "order": {
        "id": "ord_0350000000000000000000",
        "object": "order",
        "number": 1,
        "status": "pending",
        "refund_status": "none",
        "fulfillment_status": "not_required",
        "source": "api",
        "currency": "EUR",
        "subtotal_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "total_cents": 1000,
        "paid_cents": 0,
        "refunded_cents": 0,
        "payment_method": "manual",
        "customer": {
          "id": 1,
          "email": "ada@example.com",
          "name": null,
          "country": null
        },
        "items": [
          {
            "id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "name": "Advice",
            "variant_name": "Default",
            "sku": null,
            "delivery_type": "service",
            "quantity": 1,
            "unit_price_cents": 1000,
            "discount_cents": 0,
            "total_cents": 1000,
            "bundle": null
          }
        ],
        "coupon": null,
        "affiliate": null,
        "shipping_address": null,
        "shipping": null,
        "custom_fields": {},
        "metadata": {},
        "note": null,
        "ip": null,
        "user_agent": null,
        "language": "en",
        "expires_at": "2026-01-31T10:30:00.000Z",
        "hold": null,
        "order_url": "https://shop.example.com/s/game-shop/o/ot_EXAMPLE",
        "paid_at": null,
        "completed_at": null,
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [
          {
            "id": 1,
            "object": "payment",
            "order_id": "ord_0350000000000000000000",
            "kind": "manual",
            "status": "rejected",
            "amount_cents": 1000,
            "currency": "EUR",
            "reference": null,
            "proof_text": null,
            "proof_url": null,
            "note": "Nothing arrived.",
            "provider": null,
            "external_id": null,
            "checkout_url": null,
            "expires_at": null,
            "failure": null,
            "refunded_cents": null,
            "dispute": null,
            "review_reason": null,
            "fee_cents": null,
            "fee_currency": null,
            "reviewed_at": "2026-01-31T09:30:00.000Z",
            "actor": {
              "type": "api_key",
              "id": "1",
              "name": "First key"
            },
            "reviewed_by": {
              "type": "api_key",
              "id": "1",
              "name": "First key"
            },
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "refunds": [],
        "deliveries": [],
        "status_history": [
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          },
          {
            "status": "manual_review",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          },
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          }
        ],
        "mail_problem": null
      }
    }
  },
  "orders.refund": {
    "body": {
      "amount_cents": 500,
      "reason": "requested_by_customer"
    },
    "answer": {
      "success": true,
      "refund": {
        "id": 1,
        "object": "refund",
        "order_id": "ord_0350000000000000000000",
        "amount_cents": 500,
        "currency": "EUR",
        "status": "succeeded",
        "reason": "requested_by_customer",
        "note": null,
        "restock": false,
        "items": [],
        "source": "seller",
        "payment_id": null,
        "external_id": null,
        "failure": null,
        "actor": {
          "type": "api_key",
          "id": "1",
          "name": "First key"
        },
        "created_at": "2026-01-31T09:30:00.000Z"
      },
      "refunds": [
        {
          "id": 1,
          "object": "refund",
          "order_id": "ord_0350000000000000000000",
          "amount_cents": 500,
          "currency": "EUR",
          "status": "succeeded",
          "reason": "requested_by_customer",
          "note": null,
          "restock": false,
          "items": [],
          "source": "seller",
          "payment_id": null,
          "external_id": null,
          "failure": null,
          "actor": {
            "type": "api_key",
            "id": "1",
            "name": "First key"
          },
          "created_at": "2026-01-31T09:30:00.000Z"
        }
      ],
      "order": {
        "id": "ord_0350000000000000000000",
        "object": "order",
        "number": 1,
        "status": "paid",
        "refund_status": "partial",
        "fulfillment_status": "not_required",
        "source": "api",
        "currency": "EUR",
        "subtotal_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "total_cents": 1000,
        "paid_cents": 1000,
        "refunded_cents": 500,
        "payment_method": "manual",
        "customer": {
          "id": 1,
          "email": "ada@example.com",
          "name": null,
          "country": null
        },
        "items": [
          {
            "id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "name": "Advice",
            "variant_name": "Default",
            "sku": null,
            "delivery_type": "service",
            "quantity": 1,
            "unit_price_cents": 1000,
            "discount_cents": 0,
            "total_cents": 1000,
            "bundle": null
          }
        ],
        "coupon": null,
        "affiliate": null,
        "shipping_address": null,
        "shipping": null,
        "custom_fields": {},
        "metadata": {},
        "note": null,
        "ip": null,
        "user_agent": null,
        "language": "en",
        "expires_at": null,
        "hold": null,
        "order_url": "https://shop.example.com/s/game-shop/o/ot_EXAMPLE",
        "paid_at": "2026-01-31T09:30:00.000Z",
        "completed_at": null,
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [
          {
            "id": 1,
            "object": "payment",
            "order_id": "ord_0350000000000000000000",
            "kind": "manual",
            "status": "approved",
            "amount_cents": 1000,
            "currency": "EUR",
            "reference": null,
            "proof_text": null,
            "proof_url": null,
            "note": null,
            "provider": null,
            "external_id": null,
            "checkout_url": null,
            "expires_at": null,
            "failure": null,
            "refunded_cents": null,
            "dispute": null,
            "review_reason": null,
            "fee_cents": null,
            "fee_currency": null,
            "reviewed_at": "2026-01-31T09:30:00.000Z",
            "actor": {
              "type": "api_key",
              "id": "1",
              "name": "First key"
            },
            "reviewed_by": null,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "refunds": [
          {
            "id": 1,
            "object": "refund",
            "order_id": "ord_0350000000000000000000",
            "amount_cents": 500,
            "currency": "EUR",
            "status": "succeeded",
            "reason": "requested_by_customer",
            "note": null,
            "restock": false,
            "items": [],
            "source": "seller",
            "payment_id": null,
            "external_id": null,
            "failure": null,
            "actor": {
              "type": "api_key",
              "id": "1",
              "name": "First key"
            },
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "deliveries": [
          {
            "id": 1,
            "object": "delivery",
            "order_id": "ord_0350000000000000000000",
            "order_item_id": 1,
            "product_id": "a1B2c3D4e5F6",
            "variant_id": 1,
            "type": "service",
            "status": "pending",
            "keys": [],
            "keys_count": 0,
            "files": [],
            "text": null,
            "error": null,
            "attempts": 0,
            "delivered_at": null,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "status_history": [
          {
            "status": "pending",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          },
          {
            "status": "paid",
            "at": "2026-01-31T09:30:00.000Z",
            "reason": null
          }
        ],
        "mail_problem": null
      }
    }
  },
  "account.list_payment_callbacks": {
    "answer": {
      "success": true,
      "payment_callbacks": [
        {
          "id": 1,
          "object": "payment_callback",
          "provider": "test",
          "external_id": "00000000-0000-4000-8000-000000000000",
          "type": "payment.paid",
          "status": "applied",
          "order_id": null,
          "payment_id": null,
          "attempts": 0,
          "error": null,
          "received_at": "2026-01-31T09:30:00.000Z",
          "applied_at": null
        }
      ],
      "next_cursor": null
    }
  },
  "account.apply_payment_callback": {
    "answer": {
      "success": true,
      "payment_callback": {
        "id": 1,
        "object": "payment_callback",
        "provider": "test",
        "external_id": "tev_0350000000000000000000",
        "type": "payment.paid",
        "status": "applied",
        "order_id": "ord_0350000000000000000001",
        "payment_id": 1,
        "attempts": 2,
        "error": null,
        "received_at": "2026-01-31T09:30:00.000Z",
        "applied_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "customers.list_payment_methods": {
    "answer": {
      "success": true,
      "payment_methods": [
        {
          "id": 1,
          "object": "payment_method",
          "provider": "test",
          "label": "Card",
          "last4": null,
          "expires": null,
          "is_default": true,
          "created_at": "2026-01-31T09:30:00.000Z"
        }
      ]
    }
  },
  "customers.delete_payment_method": {
    "answer": {
      "success": true,
      "deleted": true,
      "id": 1
    }
  },
  "account.list_payment_providers": {
    "answer": {
      "success": true,
      "payment_providers": [
        {
          "object": "payment_provider",
          "provider": "stripe",
          "status": null,
          "methods": [
            "card"
          ],
          "callback_url": "https://shop.example.com/callbacks/stripe/a1B2c3D4e5F6",
          "account": null,
          "livemode": true,
          "last_checked_at": null,
          "last_callback_at": null,
          "last_error": null
        }
      ]
    }
  },
  "account.connect_payment_provider": {
    "body": {},
    "answer": {
      "success": true,
      "payment_provider": {
        "object": "payment_provider",
        "provider": "test",
        "status": "connected",
        "methods": [
          "test"
        ],
        "callback_url": "https://shop.example.com/callbacks/test/a1B2c3D4e5F6",
        "account": null,
        "livemode": false,
        "last_checked_at": "2026-01-31T09:30:00.000Z",
        "last_callback_at": null,
        "last_error": null
      }
    }
  },
  "account.disconnect_payment_provider": {
    "answer": {
      "success": true,
      "deleted": true,
      "id": "test"
    }
  },
  "products.list": {
    "answer": {
      "success": true,
      "products": [
        {
          "id": "a1B2c3D4e5F6",
          "object": "product",
          "hash_id": "a1B2c3D4e5F6",
          "legacy_id": 1,
          "name": "Advice",
          "slug": "advice",
          "type": "service",
          "product_kind": "single",
          "status": "active",
          "active": true,
          "visibility": "public",
          "price_cents": 1000,
          "discount_percent": 0,
          "currency": "EUR",
          "accepts_coupons": true,
          "min_qty": 1,
          "max_qty": null,
          "sell_limit": null,
          "requires_shipping": false,
          "sku": null,
          "delivery_note": null,
          "best_seller": false,
          "metadata": {},
          "stock_alert_threshold": null,
          "sales_count": 0,
          "categories": [],
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z",
          "details": {
            "short_description": null,
            "description_html": null,
            "youtube_url": null,
            "delivered_message": null,
            "highlights": {}
          },
          "seo": {
            "meta_title": null,
            "meta_description": null,
            "og_title": null,
            "og_description": null,
            "og_image_url": null
          },
          "methods": [
            {
              "method": "manual",
              "enabled": true
            },
            {
              "method": "crypto",
              "enabled": false
            },
            {
              "method": "card",
              "enabled": false
            },
            {
              "method": "paypal",
              "enabled": false
            },
            {
              "method": "balance",
              "enabled": true
            }
          ],
          "media": [],
          "variants": [
            {
              "id": 1,
              "object": "variant",
              "product_id": "a1B2c3D4e5F6",
              "name": "Default",
              "slug": "default",
              "delivery_type": "service",
              "price_cents": 1000,
              "discount_percent": 0,
              "compare_at_cents": null,
              "is_default": true,
              "active": true,
              "sort_order": 0,
              "image_url": null,
              "stock_mode": "unlimited",
              "stock_quantity": 0,
              "sku": null,
              "barcode": null,
              "weight_grams": null,
              "track_inventory": true,
              "allow_backorder": false,
              "low_stock_threshold": null,
              "option_values": [],
              "created_at": "2026-01-31T09:30:00.000Z",
              "updated_at": "2026-01-31T09:30:00.000Z"
            }
          ]
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "products.create": {
    "body": {
      "name": "Photo editor",
      "price_cents": 1999
    },
    "answer": {
      "success": true,
      "product": {
        "id": "a1B2c3D4e5F6",
        "object": "product",
        "hash_id": "a1B2c3D4e5F6",
        "legacy_id": 1,
        "name": "Photo editor",
        "slug": "photo-editor",
        "type": "serial",
        "product_kind": "single",
        "status": "active",
        "active": true,
        "visibility": "public",
        "price_cents": 1999,
        "discount_percent": 0,
        "currency": "EUR",
        "accepts_coupons": true,
        "min_qty": 1,
        "max_qty": null,
        "sell_limit": null,
        "requires_shipping": false,
        "sku": null,
        "delivery_note": null,
        "best_seller": false,
        "metadata": {},
        "stock_alert_threshold": null,
        "sales_count": 0,
        "categories": [],
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      },
      "details": {
        "short_description": null,
        "description_html": null,
        "youtube_url": null,
        "delivered_message": null,
        "highlights": {}
      },
      "seo": {
        "meta_title": null,
        "meta_description": null,
        "og_title": null,
        "og_description": null,
        "og_image_url": null
      },
      "methods": [
        {
          "method": "manual",
          "enabled": true
        },
        {
          "method": "crypto",
          "enabled": false
        },
        {
          "method": "card",
          "enabled": false
        },
        {
          "method": "paypal",
          "enabled": false
        },
        {
          "method": "balance",
          "enabled": true
        }
      ],
      "media": [],
      "variants": [
        {
          "id": 1,
          "object": "variant",
          "product_id": "a1B2c3D4e5F6",
          "name": "Default",
          "slug": "default",
          "delivery_type": "serial",
          "price_cents": 1999,
          "discount_percent": 0,
          "compare_at_cents": null,
          "is_default": true,
          "active": true,
          "sort_order": 0,
          "image_url": null,
          "stock_mode": "calculated",
          "stock_quantity": 0,
          "sku": null,
          "barcode": null,
          "weight_grams": null,
          "track_inventory": true,
          "allow_backorder": false,
          "low_stock_threshold": null,
          "option_values": [],
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ]
    }
  },
  "products.get": {
    "answer": {
      "success": true,
      "product": {
        "id": "a1B2c3D4e5F6",
        "object": "product",
        "hash_id": "a1B2c3D4e5F6",
        "legacy_id": 1,
        "name": "Advice",
        "slug": "advice",
        "type": "service",
        "product_kind": "single",
        "status": "active",
        "active": true,
        "visibility": "public",
        "price_cents": 1000,
        "discount_percent": 0,
        "currency": "EUR",
        "accepts_coupons": true,
        "min_qty": 1,
        "max_qty": null,
        "sell_limit": null,
        "requires_shipping": false,
        "sku": null,
        "delivery_note": null,
        "best_seller": false,
        "metadata": {},
        "stock_alert_threshold": null,
        "sales_count": 0,
        "categories": [],
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      },
      "details": {
        "short_description": null,
        "description_html": null,
        "youtube_url": null,
        "delivered_message": null,
        "highlights": {}
      },
      "seo": {
        "meta_title": null,
        "meta_description": null,
        "og_title": null,
        "og_description": null,
        "og_image_url": null
      },
      "methods": [
        {
          "method": "manual",
          "enabled": true
        },
        {
          "method": "crypto",
          "enabled": false
        },
        {
          "method": "card",
          "enabled": false
        },
        {
          "method": "paypal",
          "enabled": false
        },
        {
          "method": "balance",
          "enabled": true
        }
      ],
      "media": [],
      "variants": [
        {
          "id": 1,
          "object": "variant",
          "product_id": "a1B2c3D4e5F6",
          "name": "Default",
          "slug": "default",
          "delivery_type": "service",
          "price_cents": 1000,
          "discount_percent": 0,
          "compare_at_cents": null,
          "is_default": true,
          "active": true,
          "sort_order": 0,
          "image_url": null,
          "stock_mode": "unlimited",
          "stock_quantity": 0,
          "sku": null,
          "barcode": null,
          "weight_grams": null,
          "track_inventory": true,
          "allow_backorder": false,
          "low_stock_threshold": null,
          "option_values": [],
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ]
    }
  },
  "products.update": {
    "body": {
      "price_cents": 1499,
      "details": {
        "short_description": "Now with layers."
      }
    },
    "answer": {
      "success": true,
      "product": {
        "id": "a1B2c3D4e5F6",
        "object": "product",
        "hash_id": "a1B2c3D4e5F6",
        "legacy_id": 1,
        "name": "Advice",
        "slug": "advice",
        "type": "service",
        "product_kind": "single",
        "status": "active",
        "active": true,
        "visibility": "public",
        "price_cents": 1499,
        "discount_percent": 0,
        "currency": "EUR",
        "accepts_coupons": true,
        "min_qty": 1,
        "max_qty": null,
        "sell_limit": null,
        "requires_shipping": false,
        "sku": null,
        "delivery_note": null,
        "best_seller": false,
        "metadata": {},
        "stock_alert_threshold": null,
        "sales_count": 0,
        "categories": [],
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      },
      "details": {
        "short_description": "Now with layers.",
        "description_html": null,
        "youtube_url": null,
        "delivered_message": null,
        "highlights": {}
      },
      "seo": {
        "meta_title": null,
        "meta_description": null,
        "og_title": null,
        "og_description": null,
        "og_image_url": null
      },
      "methods": [
        {
          "method": "manual",
          "enabled": true
        },
        {
          "method": "crypto",
          "enabled": false
        },
        {
          "method": "card",
          "enabled": false
        },
        {
          "method": "paypal",
          "enabled": false
        },
        {
          "method": "balance",
          "enabled": true
        }
      ],
      "media": [],
      "variants": [
        {
          "id": 1,
          "object": "variant",
          "product_id": "a1B2c3D4e5F6",
          "name": "Default",
          "slug": "default",
          "delivery_type": "service",
          "price_cents": 1499,
          "discount_percent": 0,
          "compare_at_cents": null,
          "is_default": true,
          "active": true,
          "sort_order": 0,
          "image_url": null,
          "stock_mode": "unlimited",
          "stock_quantity": 0,
          "sku": null,
          "barcode": null,
          "weight_grams": null,
          "track_inventory": true,
          "allow_backorder": false,
          "low_stock_threshold": null,
          "option_values": [],
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ]
    }
  },
  "products.delete": {
    "answer": {
      "success": true,
      "deleted": true,
      "id": "a1B2c3D4e5F6"
    }
  },
  "products.duplicate": {
    "answer": {
      "success": true,
      "product": {
        "id": "a1B2c3D4e5F6",
        "object": "product",
        "hash_id": "a1B2c3D4e5F6",
        "legacy_id": 1,
        "name": "Advice (Copy)",
        "slug": "advice-copy",
        "type": "service",
        "product_kind": "single",
        "status": "draft",
        "active": false,
        "visibility": "public",
        "price_cents": 1000,
        "discount_percent": 0,
        "currency": "EUR",
        "accepts_coupons": true,
        "min_qty": 1,
        "max_qty": null,
        "sell_limit": null,
        "requires_shipping": false,
        "sku": null,
        "delivery_note": null,
        "best_seller": false,
        "metadata": {},
        "stock_alert_threshold": null,
        "sales_count": 0,
        "categories": [],
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      },
      "details": {
        "short_description": null,
        "description_html": null,
        "youtube_url": null,
        "delivered_message": null,
        "highlights": {}
      },
      "seo": {
        "meta_title": null,
        "meta_description": null,
        "og_title": null,
        "og_description": null,
        "og_image_url": null
      },
      "methods": [
        {
          "method": "manual",
          "enabled": true
        },
        {
          "method": "crypto",
          "enabled": false
        },
        {
          "method": "card",
          "enabled": false
        },
        {
          "method": "paypal",
          "enabled": false
        },
        {
          "method": "balance",
          "enabled": true
        }
      ],
      "media": [],
      "variants": [
        {
          "id": 1,
          "object": "variant",
          "product_id": "a1B2c3D4e5F6",
          "name": "Default",
          "slug": "default",
          "delivery_type": "service",
          "price_cents": 1000,
          "discount_percent": 0,
          "compare_at_cents": null,
          "is_default": true,
          "active": true,
          "sort_order": 0,
          "image_url": null,
          "stock_mode": "unlimited",
          "stock_quantity": 0,
          "sku": null,
          "barcode": null,
          "weight_grams": null,
          "track_inventory": true,
          "allow_backorder": false,
          "low_stock_threshold": null,
          "option_values": [],
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ]
    }
  },
  "variants.list": {
    "answer": {
      "success": true,
      "variants": [
        {
          "id": 1,
          "object": "variant",
          "product_id": "a1B2c3D4e5F6",
          "name": "Default",
          "slug": "default",
          "delivery_type": "service",
          "price_cents": 1000,
          "discount_percent": 0,
          "compare_at_cents": null,
          "is_default": true,
          "active": true,
          "sort_order": 0,
          "image_url": null,
          "stock_mode": "unlimited",
          "stock_quantity": 0,
          "sku": null,
          "barcode": null,
          "weight_grams": null,
          "track_inventory": true,
          "allow_backorder": false,
          "low_stock_threshold": null,
          "option_values": [],
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ]
    }
  },
  "variants.create": {
    "body": {
      "name": "Family",
      "price_cents": 2999,
      "option_values": [
        "5 seats"
      ]
    },
    "answer": {
      "success": true,
      "variant": {
        "id": 1,
        "object": "variant",
        "product_id": "a1B2c3D4e5F6",
        "name": "Family",
        "slug": "family",
        "delivery_type": "service",
        "price_cents": 2999,
        "discount_percent": 0,
        "compare_at_cents": null,
        "is_default": false,
        "active": true,
        "sort_order": 1,
        "image_url": null,
        "stock_mode": "unlimited",
        "stock_quantity": 0,
        "sku": null,
        "barcode": null,
        "weight_grams": null,
        "track_inventory": true,
        "allow_backorder": false,
        "low_stock_threshold": null,
        "option_values": [
          "5 seats"
        ],
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "variants.order": {
    "body": {
      "ids": [
        1,
        2
      ]
    },
    "answer": {
      "success": true,
      "variants": [
        {
          "id": 1,
          "object": "variant",
          "product_id": "a1B2c3D4e5F6",
          "name": "Two",
          "slug": "two",
          "delivery_type": "service",
          "price_cents": 1000,
          "discount_percent": 0,
          "compare_at_cents": null,
          "is_default": false,
          "active": true,
          "sort_order": 0,
          "image_url": null,
          "stock_mode": "unlimited",
          "stock_quantity": 0,
          "sku": null,
          "barcode": null,
          "weight_grams": null,
          "track_inventory": true,
          "allow_backorder": false,
          "low_stock_threshold": null,
          "option_values": [],
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        },
        {
          "id": 2,
          "object": "variant",
          "product_id": "a1B2c3D4e5F6",
          "name": "One",
          "slug": "one",
          "delivery_type": "service",
          "price_cents": 1000,
          "discount_percent": 0,
          "compare_at_cents": null,
          "is_default": true,
          "active": true,
          "sort_order": 1,
          "image_url": null,
          "stock_mode": "unlimited",
          "stock_quantity": 0,
          "sku": null,
          "barcode": null,
          "weight_grams": null,
          "track_inventory": true,
          "allow_backorder": false,
          "low_stock_threshold": null,
          "option_values": [],
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ]
    }
  },
  "variants.get": {
    "answer": {
      "success": true,
      "variant": {
        "id": 1,
        "object": "variant",
        "product_id": "a1B2c3D4e5F6",
        "name": "One",
        "slug": "one",
        "delivery_type": "service",
        "price_cents": 1000,
        "discount_percent": 0,
        "compare_at_cents": null,
        "is_default": true,
        "active": true,
        "sort_order": 0,
        "image_url": null,
        "stock_mode": "unlimited",
        "stock_quantity": 0,
        "sku": null,
        "barcode": null,
        "weight_grams": null,
        "track_inventory": true,
        "allow_backorder": false,
        "low_stock_threshold": null,
        "option_values": [],
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "variants.update": {
    "body": {
      "price_cents": 2499,
      "compare_at_cents": 2999
    },
    "answer": {
      "success": true,
      "variant": {
        "id": 1,
        "object": "variant",
        "product_id": "a1B2c3D4e5F6",
        "name": "One",
        "slug": "one",
        "delivery_type": "service",
        "price_cents": 2499,
        "discount_percent": 0,
        "compare_at_cents": 2999,
        "is_default": true,
        "active": true,
        "sort_order": 0,
        "image_url": null,
        "stock_mode": "unlimited",
        "stock_quantity": 0,
        "sku": null,
        "barcode": null,
        "weight_grams": null,
        "track_inventory": true,
        "allow_backorder": false,
        "low_stock_threshold": null,
        "option_values": [],
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "variants.delete": {
    "answer": {
      "success": true,
      "deleted": true,
      "id": 1
    }
  },
  "variants.get_dimensions": {
    "answer": {
      "success": true,
      "shipping_dimensions": {
        "length_cm": null,
        "width_cm": null,
        "height_cm": null
      }
    }
  },
  "variants.set_dimensions": {
    "body": {
      "length_cm": 30,
      "width_cm": 20,
      "height_cm": 5.5
    },
    "answer": {
      "success": true,
      "shipping_dimensions": {
        "length_cm": 30,
        "width_cm": 20,
        "height_cm": 5.5
      }
    }
  },
  "bundles.get": {
    "answer": {
      "success": true,
      "bundle": {
        "object": "product_bundle",
        "product_id": "a1B2c3D4e5F6",
        "items": [
          {
            "product_id": "b2C3d4E5f6G7",
            "product_name": "Game",
            "variant_id": 1,
            "variant_name": "Default",
            "quantity": 2
          }
        ]
      }
    }
  },
  "bundles.set": {
    "body": {
      "items": [
        {
          "variant_id": 1,
          "quantity": 3
        }
      ]
    },
    "answer": {
      "success": true,
      "bundle": {
        "object": "product_bundle",
        "product_id": "a1B2c3D4e5F6",
        "items": [
          {
            "product_id": "b2C3d4E5f6G7",
            "product_name": "Game",
            "variant_id": 1,
            "variant_name": "Default",
            "quantity": 3
          }
        ]
      }
    }
  },
  "variants.get_dynamic": {
    "answer": {
      "success": true,
      "dynamic": {
        "url": null,
        "created_at": null,
        "updated_at": null
      }
    }
  },
  "variants.set_dynamic": {
    "body": {
      "url": "https://keys.example.com/new"
    },
    "answer": {
      "success": true,
      "dynamic": {
        "url": "https://keys.example.com/new",
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "secret": "whsec_EXAMPLE"
      }
    }
  },
  "media.list": {
    "answer": {
      "success": true,
      "media": [
        {
          "id": 1,
          "kind": "video",
          "url": "https://videos.example.com/tour.mp4",
          "position": 0,
          "is_main": false,
          "meta": {},
          "created_at": "2026-01-31T09:30:00.000Z"
        }
      ]
    }
  },
  "media.order": {
    "body": {
      "ids": [
        1,
        2
      ]
    },
    "answer": {
      "success": true,
      "media": [
        {
          "id": 1,
          "kind": "video",
          "url": "https://videos.example.com/tour.mp4",
          "position": 0,
          "is_main": false,
          "meta": {},
          "created_at": "2026-01-31T09:30:00.000Z"
        },
        {
          "id": 2,
          "kind": "video",
          "url": "https://videos.example.com/tour.mp4",
          "position": 1,
          "is_main": false,
          "meta": {},
          "created_at": "2026-01-31T09:30:00.000Z"
        }
      ]
    }
  },
  "media.update": {
    "body": {
      "meta": {
        "alt": "A mug"
      }
    },
    "answer": {
      "success": true,
      "media": {
        "id": 1,
        "kind": "video",
        "url": "https://videos.example.com/tour.mp4",
        "position": 0,
        "is_main": false,
        "meta": {
          "alt": "A mug"
        },
        "created_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "media.delete": {
    "answer": {
      "success": true,
      "deleted": true,
      "id": 1
    }
  },
  "details.get": {
    "answer": {
      "success": true,
      "details": {
        "short_description": null,
        "description_html": null,
        "youtube_url": null,
        "delivered_message": null,
        "highlights": {}
      }
    }
  },
  "details.update": {
    "body": {
      "short_description": "Now with layers."
    },
    "answer": {
      "success": true,
      "details": {
        "short_description": "Now with layers.",
        "description_html": null,
        "youtube_url": null,
        "delivered_message": null,
        "highlights": {}
      }
    }
  },
  "seo.get": {
    "answer": {
      "success": true,
      "seo": {
        "meta_title": null,
        "meta_description": null,
        "og_title": null,
        "og_description": null,
        "og_image_url": null
      }
    }
  },
  "seo.update": {
    "body": {
      "meta_title": "Photo editor for Linux"
    },
    "answer": {
      "success": true,
      "seo": {
        "meta_title": "Photo editor for Linux",
        "meta_description": null,
        "og_title": null,
        "og_description": null,
        "og_image_url": null
      }
    }
  },
  "payment_methods.get": {
    "answer": {
      "success": true,
      "methods": [
        {
          "method": "manual",
          "enabled": true
        },
        {
          "method": "crypto",
          "enabled": false
        },
        {
          "method": "card",
          "enabled": false
        },
        {
          "method": "paypal",
          "enabled": false
        },
        {
          "method": "balance",
          "enabled": true
        }
      ]
    }
  },
  "payment_methods.set": {
    "body": {
      "methods": [
        {
          "method": "crypto",
          "enabled": false
        }
      ]
    },
    "answer": {
      "success": true,
      "methods": [
        {
          "method": "manual",
          "enabled": true
        },
        {
          "method": "crypto",
          "enabled": false
        },
        {
          "method": "card",
          "enabled": false
        },
        {
          "method": "paypal",
          "enabled": false
        },
        {
          "method": "balance",
          "enabled": true
        }
      ]
    }
  },
  "files.list": {
    "answer": {
      "success": true,
      "files": [
        {
          "id": 1,
          "object": "product_file",
          "variant_id": null,
          "name": "notes.txt",
          "size_bytes": 6,
          "mime_type": "text/plain",
          "sha256": "5257a869e7ecebed5257a869e7ecebed5257a869e7ecebed5257a869e7ecebed",
          "download_url": "https://shop.example.com/files/EXAMPLE",
          "created_at": "2026-01-31T09:30:00.000Z"
        }
      ]
    }
  },
  "files.delete": {
    "answer": {
      "success": true,
      "deleted": true,
      "id": 1
    }
  },
  "stock_alerts.list": {
    "answer": {
      "success": true,
      "stock_alerts": [
        {
          "id": 1,
          "object": "stock_alert",
          "email": "ada@example.com",
          "variant_id": null,
          "status": "pending",
          "notified_at": null,
          "created_at": "2026-01-31T09:30:00.000Z"
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "stock_alerts.create": {
    "body": {
      "email": "ada@example.com"
    },
    "answer": {
      "success": true,
      "stock_alert": {
        "id": 1,
        "object": "stock_alert",
        "email": "ada@example.com",
        "variant_id": null,
        "status": "pending",
        "notified_at": null,
        "created_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "stock_alerts.set_threshold": {
    "body": {
      "stock_alert_threshold": 5
    },
    "answer": {
      "success": true,
      "stock_alert_threshold": 5
    }
  },
  "stock_alerts.delete": {
    "answer": {
      "success": true,
      "deleted": true,
      "id": 1
    }
  },
  "stock.get": {
    "answer": {
      "success": true,
      "stock": {
        "object": "stock",
        "variant_id": 1,
        "stock_mode": "calculated",
        "track_inventory": true,
        "allow_backorder": false,
        "available": 1,
        "on_hand": 1,
        "reserved": 0,
        "sold": 0,
        "low_stock_threshold": null,
        "low_stock": false
      }
    }
  },
  "stock.update": {
    "body": {
      "quantity": 7
    },
    "answer": {
      "success": true,
      "stock": {
        "object": "stock",
        "variant_id": 1,
        "stock_mode": "manual",
        "track_inventory": true,
        "allow_backorder": false,
        "available": 7,
        "on_hand": 7,
        "reserved": 0,
        "sold": 0,
        "low_stock_threshold": null,
        "low_stock": false
      }
    }
  },
  "stock.list_keys": {
    "answer": {
      "success": true,
      "keys": [
        {
          "id": 1,
          "object": "stock_key",
          "variant_id": 1,
          "value": "••••0001",
          "status": "available",
          "order_id": null,
          "sold_at": null,
          "created_at": "2026-01-31T09:30:00.000Z"
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "stock.add_keys": {
    "body": {
      "keys": [
        "AAAA-BBBB-CCCC-0001",
        "AAAA-BBBB-CCCC-0002"
      ]
    },
    "answer": {
      "success": true,
      "added": 2,
      "skipped": 0
    }
  },
  "stock.export_keys": {
    "answer": {
      "success": true,
      "export": {
        "url": "https://shop.example.com/key-exports/EXAMPLE",
        "expires_at": "2026-01-31T09:45:00.000Z"
      }
    }
  },
  "stock.update_key": {
    "body": {
      "status": "reserved"
    },
    "answer": {
      "success": true,
      "key": {
        "id": 1,
        "object": "stock_key",
        "variant_id": 1,
        "value": "••••0001",
        "status": "reserved",
        "order_id": null,
        "sold_at": null,
        "created_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "stock.delete_key": {
    "answer": {
      "success": true,
      "deleted": true,
      "id": 1
    }
  },
  "stock.delete_all_keys": {
    "answer": {
      "success": true,
      "deleted": true,
      "count": 1
    }
  },
  "stock.undo_import": {
    "answer": {
      "success": true,
      "deleted": true,
      "count": 1
    }
  },
  "categories.list": {
    "answer": {
      "success": true,
      "categories": [
        {
          "id": 1,
          "object": "category",
          "name": "Games",
          "slug": "games",
          "description": null,
          "image_url": null,
          "visibility": "public",
          "icon": null,
          "position": 0,
          "product_count": 0,
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "categories.create": {
    "body": {
      "name": "Games"
    },
    "answer": {
      "success": true,
      "category": {
        "id": 1,
        "object": "category",
        "name": "Games",
        "slug": "games",
        "description": null,
        "image_url": null,
        "visibility": "public",
        "icon": null,
        "position": 0,
        "product_count": 0,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "categories.reorder": {
    "body": {
      "ids": [
        1,
        2
      ]
    },
    "answer": {
      "success": true,
      "categories": [
        {
          "id": 1,
          "object": "category",
          "name": "Music",
          "slug": "music",
          "description": null,
          "image_url": null,
          "visibility": "public",
          "icon": null,
          "position": 0,
          "product_count": 0,
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        },
        {
          "id": 2,
          "object": "category",
          "name": "Games",
          "slug": "games",
          "description": null,
          "image_url": null,
          "visibility": "public",
          "icon": null,
          "position": 1,
          "product_count": 0,
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ]
    }
  },
  "categories.get": {
    "answer": {
      "success": true,
      "category": {
        "id": 1,
        "object": "category",
        "name": "Games",
        "slug": "games",
        "description": null,
        "image_url": null,
        "visibility": "public",
        "icon": null,
        "position": 0,
        "product_count": 0,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "categories.update": {
    "body": {
      "visibility": "unlisted"
    },
    "answer": {
      "success": true,
      "category": {
        "id": 1,
        "object": "category",
        "name": "Games",
        "slug": "games",
        "description": null,
        "image_url": null,
        "visibility": "unlisted",
        "icon": null,
        "position": 0,
        "product_count": 0,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "categories.put_products": {
    "body": {
      "product_ids": [
        "a1B2c3D4e5F6"
      ]
    },
    "answer": {
      "success": true,
      "category": {
        "id": 1,
        "object": "category",
        "name": "Games",
        "slug": "games",
        "description": null,
        "image_url": null,
        "visibility": "public",
        "icon": null,
        "position": 0,
        "product_count": 1,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "categories.delete": {
    "answer": {
      "success": true,
      "deleted": true,
      "id": 1
    }
  },
  "groups.list": {
    "answer": {
      "success": true,
      "groups": [
        {
          "id": 1,
          "object": "group",
          "name": "Games",
          "slug": "games",
          "description": null,
          "image_url": null,
          "visibility": "public",
          "product_ids": [],
          "position": 0,
          "product_count": 0,
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "groups.create": {
    "body": {
      "name": "Photo suite"
    },
    "answer": {
      "success": true,
      "group": {
        "id": 1,
        "object": "group",
        "name": "Photo suite",
        "slug": "photo-suite",
        "description": null,
        "image_url": null,
        "visibility": "public",
        "product_ids": [],
        "position": 0,
        "product_count": 0,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "groups.reorder": {
    "body": {
      "ids": [
        1,
        2
      ]
    },
    "answer": {
      "success": true,
      "groups": [
        {
          "id": 1,
          "object": "group",
          "name": "Music",
          "slug": "music",
          "description": null,
          "image_url": null,
          "visibility": "public",
          "product_ids": [],
          "position": 0,
          "product_count": 0,
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        },
        {
          "id": 2,
          "object": "group",
          "name": "Games",
          "slug": "games",
          "description": null,
          "image_url": null,
          "visibility": "public",
          "product_ids": [],
          "position": 1,
          "product_count": 0,
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ]
    }
  },
  "groups.get": {
    "answer": {
      "success": true,
      "group": {
        "id": 1,
        "object": "group",
        "name": "Games",
        "slug": "games",
        "description": null,
        "image_url": null,
        "visibility": "public",
        "product_ids": [],
        "position": 0,
        "product_count": 0,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "groups.update": {
    "body": {
      "visibility": "unlisted"
    },
    "answer": {
      "success": true,
      "group": {
        "id": 1,
        "object": "group",
        "name": "Games",
        "slug": "games",
        "description": null,
        "image_url": null,
        "visibility": "unlisted",
        "product_ids": [],
        "position": 0,
        "product_count": 0,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "groups.put_products": {
    "body": {
      "product_ids": [
        "a1B2c3D4e5F6"
      ]
    },
    "answer": {
      "success": true,
      "group": {
        "id": 1,
        "object": "group",
        "name": "Games",
        "slug": "games",
        "description": null,
        "image_url": null,
        "visibility": "public",
        "product_ids": [
          "a1B2c3D4e5F6"
        ],
        "position": 0,
        "product_count": 1,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "groups.delete": {
    "answer": {
      "success": true,
      "deleted": true,
      "id": 1
    }
  },
  "coupons.list": {
    "answer": {
      "success": true,
      "coupons": [
        {
          "id": 1,
          "object": "coupon",
          "code": "WELCOME10",
          "type": "percentage",
          "discount_percent": 10,
          "amount_cents": null,
          "max_uses": null,
          "max_uses_per_customer": null,
          "min_order_cents": null,
          "starts_at": null,
          "expires_at": null,
          "product_ids": [],
          "variant_ids": [],
          "category_ids": [],
          "payment_methods": [],
          "allowed_emails": [],
          "applies_to_renewals": false,
          "active": true,
          "affiliate_partner_id": null,
          "note": null,
          "uses": 0,
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "coupons.create": {
    "body": {
      "code": "SPRING",
      "type": "percentage",
      "discount_percent": 15,
      "max_uses": 100
    },
    "answer": {
      "success": true,
      "coupon": {
        "id": 1,
        "object": "coupon",
        "code": "SPRING",
        "type": "percentage",
        "discount_percent": 15,
        "amount_cents": null,
        "max_uses": 100,
        "max_uses_per_customer": null,
        "min_order_cents": null,
        "starts_at": null,
        "expires_at": null,
        "product_ids": [],
        "variant_ids": [],
        "category_ids": [],
        "payment_methods": [],
        "allowed_emails": [],
        "applies_to_renewals": false,
        "active": true,
        "affiliate_partner_id": null,
        "note": null,
        "uses": 0,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "coupons.validate": {
    "body": {
      "code": "WELCOME10",
      "items": [
        {
          "product_id": "a1B2c3D4e5F6",
          "quantity": 2
        }
      ]
    },
    "answer": {
      "success": true,
      "valid": true,
      "reason": null,
      "discount_cents": 200
    }
  },
  "coupons.get": {
    "answer": {
      "success": true,
      "coupon": {
        "id": 1,
        "object": "coupon",
        "code": "WELCOME10",
        "type": "percentage",
        "discount_percent": 10,
        "amount_cents": null,
        "max_uses": null,
        "max_uses_per_customer": null,
        "min_order_cents": null,
        "starts_at": null,
        "expires_at": null,
        "product_ids": [],
        "variant_ids": [],
        "category_ids": [],
        "payment_methods": [],
        "allowed_emails": [],
        "applies_to_renewals": false,
        "active": true,
        "affiliate_partner_id": null,
        "note": null,
        "uses": 0,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "coupons.update": {
    "body": {
      "active": false
    },
    "answer": {
      "success": true,
      "coupon": {
        "id": 1,
        "object": "coupon",
        "code": "WELCOME10",
        "type": "percentage",
        "discount_percent": 10,
        "amount_cents": null,
        "max_uses": null,
        "max_uses_per_customer": null,
        "min_order_cents": null,
        "starts_at": null,
        "expires_at": null,
        "product_ids": [],
        "variant_ids": [],
        "category_ids": [],
        "payment_methods": [],
        "allowed_emails": [],
        "applies_to_renewals": false,
        "active": false,
        "affiliate_partner_id": null,
        "note": null,
        "uses": 0,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "coupons.delete": {
    "answer": {
      "success": true,
      "deleted": true,
      "id": 1
    }
  },
  "customers.list": {
    "answer": {
      "success": true,
      "customers": [
        {
          "id": 1,
          "object": "customer",
          "email": "person-1@example.com",
          "name": null,
          "country": null,
          "balance_cents": 0,
          "currency": "EUR",
          "orders_count": 0,
          "total_spent_cents": 0,
          "average_order_cents": 0,
          "first_order_at": null,
          "last_order_at": null,
          "blocked": false,
          "blocked_at": null,
          "note": null,
          "tags": [],
          "marketing_opt_in": false,
          "affiliate_partner_id": null,
          "metadata": {},
          "erased_at": null,
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false,
        "next_cursor": null
      }
    }
  },
  "customers.create": {
    "body": {
      "email": "ada@example.com",
      "name": "Ada Lovelace",
      "country": "GB",
      "tags": [
        "vip"
      ]
    },
    "answer": {
      "success": true,
      "customer": {
        "id": 1,
        "object": "customer",
        "email": "ada@example.com",
        "name": "Ada Lovelace",
        "country": "GB",
        "balance_cents": 0,
        "currency": "EUR",
        "orders_count": 0,
        "total_spent_cents": 0,
        "average_order_cents": 0,
        "first_order_at": null,
        "last_order_at": null,
        "blocked": false,
        "blocked_at": null,
        "note": null,
        "tags": [
          "vip"
        ],
        "marketing_opt_in": false,
        "affiliate_partner_id": null,
        "metadata": {},
        "erased_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "customers.get": {
    "answer": {
      "success": true,
      "customer": {
        "id": 1,
        "object": "customer",
        "email": "person-1@example.com",
        "name": null,
        "country": null,
        "balance_cents": 0,
        "currency": "EUR",
        "orders_count": 0,
        "total_spent_cents": 0,
        "average_order_cents": 0,
        "first_order_at": null,
        "last_order_at": null,
        "blocked": false,
        "blocked_at": null,
        "note": null,
        "tags": [],
        "marketing_opt_in": false,
        "affiliate_partner_id": null,
        "metadata": {},
        "erased_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "customers.update": {
    "body": {
      "note": "Prefers to be called.",
      "tags": [
        "vip"
      ]
    },
    "answer": {
      "success": true,
      "customer": {
        "id": 1,
        "object": "customer",
        "email": "person-1@example.com",
        "name": null,
        "country": null,
        "balance_cents": 0,
        "currency": "EUR",
        "orders_count": 0,
        "total_spent_cents": 0,
        "average_order_cents": 0,
        "first_order_at": null,
        "last_order_at": null,
        "blocked": false,
        "blocked_at": null,
        "note": "Prefers to be called.",
        "tags": [
          "vip"
        ],
        "marketing_opt_in": false,
        "affiliate_partner_id": null,
        "metadata": {},
        "erased_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "customers.change_balance": {
    "body": {
      "amount_cents": 500,
      "reason": "For the late delivery."
    },
    "answer": {
      "success": true,
      "balance_cents": 500,
      "balance_entry": {
        "id": 1,
        "object": "balance_entry",
        "customer_id": 1,
        "amount_cents": 500,
        "balance_cents": 500,
        "reason": "For the late delivery.",
        "order_id": null,
        "created_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "customers.list_balance_entries": {
    "answer": {
      "success": true,
      "balance_entries": [
        {
          "id": 1,
          "object": "balance_entry",
          "customer_id": 1,
          "amount_cents": 500,
          "balance_cents": 500,
          "reason": "A gift.",
          "order_id": null,
          "created_at": "2026-01-31T09:30:00.000Z"
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "customers.merge": {
    "body": {
      "into": 1
    },
    "answer": {
      "success": true,
      "customer": {
        "id": 1,
        "object": "customer",
        "email": "person-1@example.com",
        "name": null,
        "country": null,
        "balance_cents": 0,
        "currency": "EUR",
        "orders_count": 0,
        "total_spent_cents": 0,
        "average_order_cents": 0,
        "first_order_at": null,
        "last_order_at": null,
        "blocked": false,
        "blocked_at": null,
        "note": null,
        "tags": [],
        "marketing_opt_in": false,
        "affiliate_partner_id": null,
        "metadata": {},
        "erased_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "customers.export": {
    "answer": {
      "success": true,
      "customer": {
        "id": 1,
        "object": "customer",
        "email": "person-1@example.com",
        "name": null,
        "country": null,
        "balance_cents": 0,
        "currency": "EUR",
        "orders_count": 0,
        "total_spent_cents": 0,
        "average_order_cents": 0,
        "first_order_at": null,
        "last_order_at": null,
        "blocked": false,
        "blocked_at": null,
        "note": null,
        "tags": [],
        "marketing_opt_in": false,
        "affiliate_partner_id": null,
        "metadata": {},
        "erased_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      },
      "merged_customers": [],
      "orders": [],
      "balance_entries": [],
      "blocklist_entries": [],
      "affiliate_partners": [],
      "licenses": [],
      "payment_methods": [],
      "stock_alerts": [],
      "messages": [],
      "page": {
        "total": 0,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "customers.erase": {
    "answer": {
      "success": true,
      "id": 1,
      "erased_at": "2026-01-31T09:30:00.000Z",
      "cancelled_subscriptions": 0
    }
  },
  "customers.block": {
    "body": {
      "note": "Chargebacks.",
      "block_ips": true
    },
    "answer": {
      "success": true,
      "customer": {
        "id": 1,
        "object": "customer",
        "email": "person-1@example.com",
        "name": null,
        "country": null,
        "balance_cents": 0,
        "currency": "EUR",
        "orders_count": 0,
        "total_spent_cents": 0,
        "average_order_cents": 0,
        "first_order_at": null,
        "last_order_at": null,
        "blocked": true,
        "blocked_at": "2026-01-31T09:30:00.000Z",
        "note": "Chargebacks.",
        "tags": [],
        "marketing_opt_in": false,
        "affiliate_partner_id": null,
        "metadata": {},
        "erased_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "customers.unblock": {
    "body": {
      "note": "Cleared up by phone."
    },
    "answer": {
      "success": true,
      "customer": {
        "id": 1,
        "object": "customer",
        "email": "person-1@example.com",
        "name": null,
        "country": null,
        "balance_cents": 0,
        "currency": "EUR",
        "orders_count": 0,
        "total_spent_cents": 0,
        "average_order_cents": 0,
        "first_order_at": null,
        "last_order_at": null,
        "blocked": false,
        "blocked_at": null,
        "note": "Cleared up by phone.",
        "tags": [],
        "marketing_opt_in": false,
        "affiliate_partner_id": null,
        "metadata": {},
        "erased_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "blocklist.list": {
    "answer": {
      "success": true,
      "blocklist_entries": [
        {
          "id": 1,
          "object": "blocklist_entry",
          "type": "email",
          "value": "person-1@example.com",
          "reason": null,
          "hits": 0,
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "blocklist.create": {
    "body": {
      "type": "email",
      "value": "*@throwaway.example",
      "reason": "Fake accounts."
    },
    "answer": {
      "success": true,
      "blocklist_entry": {
        "id": 1,
        "object": "blocklist_entry",
        "type": "email",
        "value": "*@throwaway.example",
        "reason": "Fake accounts.",
        "hits": 0,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "blocklist.get": {
    "answer": {
      "success": true,
      "blocklist_entry": {
        "id": 1,
        "object": "blocklist_entry",
        "type": "email",
        "value": "person-1@example.com",
        "reason": null,
        "hits": 0,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "blocklist.update": {
    "body": {
      "reason": "Chargebacks."
    },
    "answer": {
      "success": true,
      "blocklist_entry": {
        "id": 1,
        "object": "blocklist_entry",
        "type": "email",
        "value": "person-1@example.com",
        "reason": "Chargebacks.",
        "hits": 0,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "blocklist.delete": {
    "answer": {
      "success": true,
      "deleted": true,
      "id": 1
    }
  },
  "subscriptions.list": {
    "answer": {
      "success": true,
      "subscriptions": [
        {
          "id": 1,
          "object": "subscription",
          "status": "active",
          "customer_email": "ada@example.com",
          "product": {
            "id": "a1B2c3D4e5F6",
            "name": "Game"
          },
          "initial_invoice_id": "ord_0350000000000000000000",
          "billing_cycle": "monthly",
          "currency": "EUR",
          "initial_price_cents": 1000,
          "recurring_price_cents": 1000,
          "trial_days": 0,
          "trial_ends_at": null,
          "current_period_start": "2026-01-31T09:30:00.000Z",
          "current_period_end": "2026-02-28T09:30:00.000Z",
          "next_billing_date": "2026-02-28T09:30:00.000Z",
          "auto_renew": true,
          "cancelled_at": null,
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z",
          "auto_renewal": {
            "id": 1,
            "object": "auto_renewal",
            "status": "active",
            "provider": "manual",
            "customer_email": "ada@example.com",
            "product": {
              "id": "a1B2c3D4e5F6",
              "name": "Game"
            },
            "origin_invoice_id": "ord_0350000000000000000000",
            "last_invoice_id": "ord_0350000000000000000000",
            "period_days": 28,
            "price_cents": 1000,
            "currency": "EUR",
            "discount_percent": 0,
            "renewals_count": 0,
            "current_period_end": "2026-02-28T09:30:00.000Z",
            "cancelled_at": null,
            "can_cancel": true,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "subscriptions.get": {
    "answer": {
      "success": true,
      "subscription": {
        "id": 1,
        "object": "subscription",
        "status": "active",
        "customer_email": "ada@example.com",
        "product": {
          "id": "a1B2c3D4e5F6",
          "name": "Game"
        },
        "initial_invoice_id": "ord_0350000000000000000000",
        "billing_cycle": "monthly",
        "currency": "EUR",
        "initial_price_cents": 1000,
        "recurring_price_cents": 1000,
        "trial_days": 0,
        "trial_ends_at": null,
        "current_period_start": "2026-01-31T09:30:00.000Z",
        "current_period_end": "2026-02-28T09:30:00.000Z",
        "next_billing_date": "2026-02-28T09:30:00.000Z",
        "auto_renew": true,
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [
          {
            "id": 1,
            "invoice_id": "ord_0350000000000000000000",
            "invoice_status": "paid",
            "amount_cents": 1000,
            "status": "paid",
            "period_start": "2026-01-31T09:30:00.000Z",
            "period_end": "2026-02-28T09:30:00.000Z",
            "paid_at": "2026-01-31T09:30:00.000Z",
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "auto_renewal": {
          "id": 1,
          "object": "auto_renewal",
          "status": "active",
          "provider": "manual",
          "customer_email": "ada@example.com",
          "product": {
            "id": "a1B2c3D4e5F6",
            "name": "Game"
          },
          "origin_invoice_id": "ord_0350000000000000000000",
          "last_invoice_id": "ord_0350000000000000000000",
          "period_days": 28,
          "price_cents": 1000,
          "currency": "EUR",
          "discount_percent": 0,
          "renewals_count": 0,
          "current_period_end": "2026-02-28T09:30:00.000Z",
          "cancelled_at": null,
          "can_cancel": true,
          "created_at": "2026-01-31T09:30:00.000Z"
        }
      }
    }
  },
  "auto_renewals.list": {
    "answer": {
      "success": true,
      "auto_renewals": [
        {
          "id": 1,
          "object": "auto_renewal",
          "status": "active",
          "provider": "manual",
          "customer_email": "ada@example.com",
          "product": {
            "id": "a1B2c3D4e5F6",
            "name": "Game"
          },
          "origin_invoice_id": "ord_0350000000000000000000",
          "last_invoice_id": "ord_0350000000000000000000",
          "period_days": 28,
          "price_cents": 1000,
          "currency": "EUR",
          "discount_percent": 0,
          "renewals_count": 0,
          "current_period_end": "2026-02-28T09:30:00.000Z",
          "cancelled_at": null,
          "can_cancel": true,
          "created_at": "2026-01-31T09:30:00.000Z"
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "auto_renewals.get": {
    "answer": {
      "success": true,
      "auto_renewal": {
        "id": 1,
        "object": "auto_renewal",
        "status": "active",
        "provider": "manual",
        "customer_email": "ada@example.com",
        "product": {
          "id": "a1B2c3D4e5F6",
          "name": "Game"
        },
        "origin_invoice_id": "ord_0350000000000000000000",
        "last_invoice_id": "ord_0350000000000000000000",
        "period_days": 28,
        "price_cents": 1000,
        "currency": "EUR",
        "discount_percent": 0,
        "renewals_count": 0,
        "current_period_end": "2026-02-28T09:30:00.000Z",
        "cancelled_at": null,
        "can_cancel": true,
        "created_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "billing.get": {
    "answer": {
      "success": true,
      "billing": {
        "object": "product_billing",
        "product_id": "a1B2c3D4e5F6",
        "billing_cycle": "monthly",
        "trial_days": 0,
        "recurring_price_cents": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "billing.set": {
    "body": {
      "billing_cycle": "monthly",
      "trial_days": 14,
      "recurring_price_cents": 999
    },
    "answer": {
      "success": true,
      "billing": {
        "object": "product_billing",
        "product_id": "a1B2c3D4e5F6",
        "billing_cycle": "monthly",
        "trial_days": 14,
        "recurring_price_cents": 999,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "subscriptions.update": {
    "body": {
      "next_billing_date": "2027-03-01T00:00:00.000Z"
    },
    "answer": {
      "success": true,
      "subscription": {
        "id": 1,
        "object": "subscription",
        "status": "active",
        "customer_email": "ada@example.com",
        "product": {
          "id": "a1B2c3D4e5F6",
          "name": "Game"
        },
        "initial_invoice_id": "ord_0350000000000000000000",
        "billing_cycle": "monthly",
        "currency": "EUR",
        "initial_price_cents": 1000,
        "recurring_price_cents": 1000,
        "trial_days": 0,
        "trial_ends_at": null,
        "current_period_start": "2026-01-31T09:30:00.000Z",
        "current_period_end": "2027-03-01T00:00:00.000Z",
        "next_billing_date": "2027-03-01T00:00:00.000Z",
        "auto_renew": true,
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [
          {
            "id": 1,
            "invoice_id": "ord_0350000000000000000000",
            "invoice_status": "paid",
            "amount_cents": 1000,
            "status": "paid",
            "period_start": "2026-01-31T09:30:00.000Z",
            "period_end": "2027-03-01T00:00:00.000Z",
            "paid_at": "2026-01-31T09:30:00.000Z",
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "auto_renewal": {
          "id": 1,
          "object": "auto_renewal",
          "status": "active",
          "provider": "manual",
          "customer_email": "ada@example.com",
          "product": {
            "id": "a1B2c3D4e5F6",
            "name": "Game"
          },
          "origin_invoice_id": "ord_0350000000000000000000",
          "last_invoice_id": "ord_0350000000000000000000",
          "period_days": 394,
          "price_cents": 1000,
          "currency": "EUR",
          "discount_percent": 0,
          "renewals_count": 0,
          "current_period_end": "2027-03-01T00:00:00.000Z",
          "cancelled_at": null,
          "can_cancel": true,
          "created_at": "2026-01-31T09:30:00.000Z"
        }
      }
    }
  },
  "subscriptions.cancel": {
    "body": {
      "at_period_end": true
    },
    "answer": {
      "success": true,
      "subscription": {
        "id": 1,
        "object": "subscription",
        "status": "active",
        "customer_email": "ada@example.com",
        "product": {
          "id": "a1B2c3D4e5F6",
          "name": "Game"
        },
        "initial_invoice_id": "ord_0350000000000000000000",
        "billing_cycle": "monthly",
        "currency": "EUR",
        "initial_price_cents": 1000,
        "recurring_price_cents": 1000,
        "trial_days": 0,
        "trial_ends_at": null,
        "current_period_start": "2026-01-31T09:30:00.000Z",
        "current_period_end": "2026-02-28T09:30:00.000Z",
        "next_billing_date": null,
        "auto_renew": false,
        "cancelled_at": "2026-01-31T09:30:00.000Z",
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [
          {
            "id": 1,
            "invoice_id": "ord_0350000000000000000000",
            "invoice_status": "paid",
            "amount_cents": 1000,
            "status": "paid",
            "period_start": "2026-01-31T09:30:00.000Z",
            "period_end": "2026-02-28T09:30:00.000Z",
            "paid_at": "2026-01-31T09:30:00.000Z",
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "auto_renewal": {
          "id": 1,
          "object": "auto_renewal",
          "status": "cancelled",
          "provider": "manual",
          "customer_email": "ada@example.com",
          "product": {
            "id": "a1B2c3D4e5F6",
            "name": "Game"
          },
          "origin_invoice_id": "ord_0350000000000000000000",
          "last_invoice_id": "ord_0350000000000000000000",
          "period_days": 28,
          "price_cents": 1000,
          "currency": "EUR",
          "discount_percent": 0,
          "renewals_count": 0,
          "current_period_end": "2026-02-28T09:30:00.000Z",
          "cancelled_at": "2026-01-31T09:30:00.000Z",
          "can_cancel": false,
          "created_at": "2026-01-31T09:30:00.000Z"
        }
      }
    }
  },
  "subscriptions.resume": {
    "answer": {
      "success": true,
      "subscription": {
        "id": 1,
        "object": "subscription",
        "status": "active",
        "customer_email": "ada@example.com",
        "product": {
          "id": "a1B2c3D4e5F6",
          "name": "Game"
        },
        "initial_invoice_id": "ord_0350000000000000000000",
        "billing_cycle": "monthly",
        "currency": "EUR",
        "initial_price_cents": 1000,
        "recurring_price_cents": 1000,
        "trial_days": 0,
        "trial_ends_at": null,
        "current_period_start": "2026-01-31T09:30:00.000Z",
        "current_period_end": "2026-02-28T09:30:00.000Z",
        "next_billing_date": "2026-02-28T09:30:00.000Z",
        "auto_renew": true,
        "cancelled_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payments": [
          {
            "id": 1,
            "invoice_id": "ord_0350000000000000000000",
            "invoice_status": "paid",
            "amount_cents": 1000,
            "status": "paid",
            "period_start": "2026-01-31T09:30:00.000Z",
            "period_end": "2026-02-28T09:30:00.000Z",
            "paid_at": "2026-01-31T09:30:00.000Z",
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "auto_renewal": {
          "id": 1,
          "object": "auto_renewal",
          "status": "active",
          "provider": "manual",
          "customer_email": "ada@example.com",
          "product": {
            "id": "a1B2c3D4e5F6",
            "name": "Game"
          },
          "origin_invoice_id": "ord_0350000000000000000000",
          "last_invoice_id": "ord_0350000000000000000000",
          "period_days": 28,
          "price_cents": 1000,
          "currency": "EUR",
          "discount_percent": 0,
          "renewals_count": 0,
          "current_period_end": "2026-02-28T09:30:00.000Z",
          "cancelled_at": null,
          "can_cancel": true,
          "created_at": "2026-01-31T09:30:00.000Z"
        }
      }
    }
  },
  "auto_renewals.cancel": {
    "answer": {
      "success": true,
      "auto_renewal": {
        "id": 1,
        "object": "auto_renewal",
        "status": "cancelled",
        "provider": "manual",
        "customer_email": "ada@example.com",
        "product": {
          "id": "a1B2c3D4e5F6",
          "name": "Game"
        },
        "origin_invoice_id": "ord_0350000000000000000000",
        "last_invoice_id": "ord_0350000000000000000000",
        "period_days": 28,
        "price_cents": 1000,
        "currency": "EUR",
        "discount_percent": 0,
        "renewals_count": 0,
        "current_period_end": "2026-02-28T09:30:00.000Z",
        "cancelled_at": "2026-01-31T09:30:00.000Z",
        "can_cancel": false,
        "created_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "shipping.list_zones": {
    "answer": {
      "success": true,
      "zones": [
        {
          "id": 1,
          "name": "Germany",
          "countries": [
            "DE"
          ],
          "regions": {},
          "active": true,
          "position": 0,
          "rates": [
            {
              "id": 1,
              "name": "Post",
              "description": null,
              "carrier_code": "custom",
              "calc_type": "flat",
              "price_cents": 500,
              "tiers": [],
              "volumetric_divisor": null,
              "free_over_cents": null,
              "min_days": null,
              "max_days": null,
              "active": true
            }
          ]
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "shipping.create_zone": {
    "body": {
      "name": "Germany and Austria",
      "countries": [
        "DE",
        "AT"
      ],
      "rates": [
        {
          "name": "Parcel",
          "calc_type": "flat",
          "price_cents": 490,
          "free_over_cents": 5000
        },
        {
          "name": "Heavy parcel",
          "calc_type": "weight",
          "tiers": [
            {
              "min": 0,
              "max": 5000,
              "price_cents": 690
            },
            {
              "min": 5000,
              "max": 31500,
              "price_cents": 1690
            }
          ]
        }
      ]
    },
    "answer": {
      "success": true,
      "zone": {
        "id": 1,
        "name": "Germany and Austria",
        "countries": [
          "DE",
          "AT"
        ],
        "regions": {},
        "active": true,
        "position": 0,
        "rates": [
          {
            "id": 1,
            "name": "Parcel",
            "description": null,
            "carrier_code": "custom",
            "calc_type": "flat",
            "price_cents": 490,
            "tiers": [],
            "volumetric_divisor": null,
            "free_over_cents": 5000,
            "min_days": null,
            "max_days": null,
            "active": true
          },
          {
            "id": 2,
            "name": "Heavy parcel",
            "description": null,
            "carrier_code": "custom",
            "calc_type": "weight",
            "price_cents": 0,
            "tiers": [
              {
                "min": 0,
                "max": 5000,
                "price_cents": 690
              },
              {
                "min": 5000,
                "max": 31500,
                "price_cents": 1690
              }
            ],
            "volumetric_divisor": null,
            "free_over_cents": null,
            "min_days": null,
            "max_days": null,
            "active": true
          }
        ]
      }
    }
  },
  "shipping.reorder_zones": {
    "body": {
      "ids": [
        1,
        2
      ]
    },
    "answer": {
      "success": true,
      "zones": [
        {
          "id": 1,
          "name": "Germany",
          "countries": [
            "DE"
          ],
          "regions": {},
          "active": true,
          "position": 0,
          "rates": [
            {
              "id": 1,
              "name": "Post",
              "description": null,
              "carrier_code": "custom",
              "calc_type": "flat",
              "price_cents": 500,
              "tiers": [],
              "volumetric_divisor": null,
              "free_over_cents": null,
              "min_days": null,
              "max_days": null,
              "active": true
            }
          ]
        },
        {
          "id": 2,
          "name": "Germany",
          "countries": [
            "DE"
          ],
          "regions": {},
          "active": true,
          "position": 1,
          "rates": [
            {
              "id": 2,
              "name": "Post",
              "description": null,
              "carrier_code": "custom",
              "calc_type": "flat",
              "price_cents": 500,
              "tiers": [],
              "volumetric_divisor": null,
              "free_over_cents": null,
              "min_days": null,
              "max_days": null,
              "active": true
            }
          ]
        }
      ]
    }
  },
  "shipping.get_zone": {
    "answer": {
      "success": true,
      "zone": {
        "id": 1,
        "name": "Germany",
        "countries": [
          "DE"
        ],
        "regions": {},
        "active": true,
        "position": 0,
        "rates": [
          {
            "id": 1,
            "name": "Post",
            "description": null,
            "carrier_code": "custom",
            "calc_type": "flat",
            "price_cents": 500,
            "tiers": [],
            "volumetric_divisor": null,
            "free_over_cents": null,
            "min_days": null,
            "max_days": null,
            "active": true
          }
        ]
      }
    }
  },
  "shipping.update_zone": {
    "body": {
      "name": "Near"
    },
    "answer": {
      "success": true,
      "zone": {
        "id": 1,
        "name": "Near",
        "countries": [
          "DE"
        ],
        "regions": {},
        "active": true,
        "position": 0,
        "rates": [
          {
            "id": 1,
            "name": "Post",
            "description": null,
            "carrier_code": "custom",
            "calc_type": "flat",
            "price_cents": 500,
            "tiers": [],
            "volumetric_divisor": null,
            "free_over_cents": null,
            "min_days": null,
            "max_days": null,
            "active": true
          }
        ]
      }
    }
  },
  "shipping.delete_zone": {
    "answer": {
      "success": true,
      "deleted": true,
      "id": 1
    }
  },
  "shipping.list_locations": {
    "answer": {
      "success": true,
      "locations": [
        {
          "id": 1,
          "object": "location",
          "name": "Depot",
          "line1": "Street 1",
          "line2": null,
          "city": "Berlin",
          "region": null,
          "postal_code": null,
          "country": "DE",
          "phone": null,
          "active": true,
          "is_default": true
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "shipping.create_location": {
    "body": {
      "name": "Warehouse",
      "line1": "Hafenstraße 1",
      "city": "Hamburg",
      "country": "DE"
    },
    "answer": {
      "success": true,
      "location": {
        "id": 1,
        "object": "location",
        "name": "Warehouse",
        "line1": "Hafenstraße 1",
        "line2": null,
        "city": "Hamburg",
        "region": null,
        "postal_code": null,
        "country": "DE",
        "phone": null,
        "active": true,
        "is_default": true
      }
    }
  },
  "shipping.get_location": {
    "answer": {
      "success": true,
      "location": {
        "id": 1,
        "object": "location",
        "name": "Depot",
        "line1": "Street 1",
        "line2": null,
        "city": "Berlin",
        "region": null,
        "postal_code": null,
        "country": "DE",
        "phone": null,
        "active": true,
        "is_default": true
      }
    }
  },
  "shipping.update_location": {
    "body": {
      "phone": "+49 40 123456",
      "is_default": true
    },
    "answer": {
      "success": true,
      "location": {
        "id": 1,
        "object": "location",
        "name": "Depot",
        "line1": "Street 1",
        "line2": null,
        "city": "Berlin",
        "region": null,
        "postal_code": null,
        "country": "DE",
        "phone": "+49 40 123456",
        "active": true,
        "is_default": true
      }
    }
  },
  "shipping.delete_location": {
    "answer": {
      "success": true,
      "deleted": true,
      "id": 1
    }
  },
  "shipping.quote": {
    "body": {
      "country": "DE",
      "items": [
        {
          "product_id": "a1B2c3D4e5F6",
          "quantity": 1
        }
      ]
    },
    "answer": {
      "success": true,
      "rates": [
        {
          "zone_id": 1,
          "rate_id": 1,
          "name": "Post",
          "carrier_code": "custom",
          "price_cents": 500,
          "min_days": null,
          "max_days": null
        }
      ]
    }
  },
  "fulfillments.list": {
    "answer": {
      "success": true,
      "fulfillments": [
        {
          "id": 1,
          "object": "fulfillment",
          "order_id": "ord_0350000000000000000000",
          "status": "open",
          "shipment_status": "label_printed",
          "location_id": null,
          "carrier_code": "custom",
          "tracking_number": null,
          "tracking_url": null,
          "items": [
            {
              "order_item_id": 1,
              "quantity": 1
            }
          ],
          "shipped_at": null,
          "delivered_at": null,
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "fulfillments.get": {
    "answer": {
      "success": true,
      "fulfillment": {
        "id": 1,
        "object": "fulfillment",
        "order_id": "ord_0350000000000000000000",
        "status": "open",
        "shipment_status": "label_printed",
        "location_id": null,
        "carrier_code": "custom",
        "tracking_number": null,
        "tracking_url": null,
        "items": [
          {
            "order_item_id": 1,
            "quantity": 1
          }
        ],
        "shipped_at": null,
        "delivered_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "fulfillments.create": {
    "body": {
      "items": [
        {
          "order_item_id": 1,
          "quantity": 1
        }
      ]
    },
    "answer": {
      "success": true,
      "fulfillment": {
        "id": 1,
        "object": "fulfillment",
        "order_id": "ord_0350000000000000000000",
        "status": "shipped",
        "shipment_status": null,
        "location_id": null,
        "carrier_code": "custom",
        "tracking_number": null,
        "tracking_url": null,
        "items": [
          {
            "order_item_id": 1,
            "quantity": 1
          }
        ],
        "shipped_at": "2026-01-31T09:30:00.000Z",
        "delivered_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "fulfillments.update": {
    "body": {
      "shipment_status": "delivered"
    },
    "answer": {
      "success": true,
      "fulfillment": {
        "id": 1,
        "object": "fulfillment",
        "order_id": "ord_0350000000000000000000",
        "status": "delivered",
        "shipment_status": "delivered",
        "location_id": null,
        "carrier_code": "custom",
        "tracking_number": null,
        "tracking_url": null,
        "items": [
          {
            "order_item_id": 1,
            "quantity": 1
          }
        ],
        "shipped_at": "2026-01-31T09:30:00.000Z",
        "delivered_at": "2026-01-31T09:30:00.000Z",
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "fulfillments.cancel": {
    "answer": {
      "success": true,
      "fulfillment": {
        "id": 1,
        "object": "fulfillment",
        "order_id": "ord_0350000000000000000000",
        "status": "cancelled",
        "shipment_status": "label_printed",
        "location_id": null,
        "carrier_code": "custom",
        "tracking_number": null,
        "tracking_url": null,
        "items": [
          {
            "order_item_id": 1,
            "quantity": 1
          }
        ],
        "shipped_at": null,
        "delivered_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "returns.list": {
    "answer": {
      "success": true,
      "returns": [
        {
          "id": 1,
          "object": "return",
          "rma": "RMA-000001",
          "order_id": "ord_0350000000000000000000",
          "customer_email": "ada@example.com",
          "status": "requested",
          "items": [
            {
              "order_item_id": 1,
              "quantity": 1,
              "received_quantity": 0,
              "damaged_quantity": 0,
              "reason": "too_small",
              "note": null
            }
          ],
          "refund_amount_cents": null,
          "refund_id": null,
          "tracking_number": null,
          "carrier_code": null,
          "rejection_note": null,
          "requested_at": "2026-01-31T09:30:00.000Z",
          "approved_at": null,
          "received_at": null,
          "closed_at": null,
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "returns.create": {
    "body": {
      "order_id": "ord_0350000000000000000000",
      "items": [
        {
          "order_item_id": 1,
          "quantity": 1,
          "reason": "too_small"
        }
      ]
    },
    "answer": {
      "success": true,
      "return": {
        "id": 1,
        "object": "return",
        "rma": "RMA-000001",
        "order_id": "ord_0350000000000000000000",
        "customer_email": "ada@example.com",
        "status": "requested",
        "items": [
          {
            "order_item_id": 1,
            "quantity": 1,
            "received_quantity": 0,
            "damaged_quantity": 0,
            "reason": "too_small",
            "note": null
          }
        ],
        "refund_amount_cents": null,
        "refund_id": null,
        "tracking_number": null,
        "carrier_code": null,
        "rejection_note": null,
        "requested_at": "2026-01-31T09:30:00.000Z",
        "approved_at": null,
        "received_at": null,
        "closed_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "returns.get": {
    "answer": {
      "success": true,
      "return": {
        "id": 1,
        "object": "return",
        "rma": "RMA-000001",
        "order_id": "ord_0350000000000000000000",
        "customer_email": "ada@example.com",
        "status": "requested",
        "items": [
          {
            "order_item_id": 1,
            "quantity": 1,
            "received_quantity": 0,
            "damaged_quantity": 0,
            "reason": "too_small",
            "note": null
          }
        ],
        "refund_amount_cents": null,
        "refund_id": null,
        "tracking_number": null,
        "carrier_code": null,
        "rejection_note": null,
        "requested_at": "2026-01-31T09:30:00.000Z",
        "approved_at": null,
        "received_at": null,
        "closed_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "returns.approve": {
    "body": {
      "tracking_number": "00340434161094042557",
      "carrier_code": "dhl"
    },
    "answer": {
      "success": true,
      "return": {
        "id": 1,
        "object": "return",
        "rma": "RMA-000001",
        "order_id": "ord_0350000000000000000000",
        "customer_email": "ada@example.com",
        "status": "approved",
        "items": [
          {
            "order_item_id": 1,
            "quantity": 1,
            "received_quantity": 0,
            "damaged_quantity": 0,
            "reason": "too_small",
            "note": null
          }
        ],
        "refund_amount_cents": null,
        "refund_id": null,
        "tracking_number": "00340434161094042557",
        "carrier_code": "dhl",
        "rejection_note": null,
        "requested_at": "2026-01-31T09:30:00.000Z",
        "approved_at": "2026-01-31T09:30:00.000Z",
        "received_at": null,
        "closed_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "returns.reject": {
    "body": {
      "note": "The seal is broken."
    },
    "answer": {
      "success": true,
      "return": {
        "id": 1,
        "object": "return",
        "rma": "RMA-000001",
        "order_id": "ord_0350000000000000000000",
        "customer_email": "ada@example.com",
        "status": "rejected",
        "items": [
          {
            "order_item_id": 1,
            "quantity": 1,
            "received_quantity": 0,
            "damaged_quantity": 0,
            "reason": "too_small",
            "note": null
          }
        ],
        "refund_amount_cents": null,
        "refund_id": null,
        "tracking_number": null,
        "carrier_code": null,
        "rejection_note": "The seal is broken.",
        "requested_at": "2026-01-31T09:30:00.000Z",
        "approved_at": null,
        "received_at": null,
        "closed_at": "2026-01-31T09:30:00.000Z",
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "returns.receive": {
    "body": {
      "items": [
        {
          "order_item_id": 1,
          "received_quantity": 1,
          "damaged_quantity": 0
        }
      ]
    },
    "answer": {
      "success": true,
      "return": {
        "id": 1,
        "object": "return",
        "rma": "RMA-000001",
        "order_id": "ord_0350000000000000000000",
        "customer_email": "ada@example.com",
        "status": "received",
        "items": [
          {
            "order_item_id": 1,
            "quantity": 1,
            "received_quantity": 1,
            "damaged_quantity": 0,
            "reason": "too_small",
            "note": null
          }
        ],
        "refund_amount_cents": null,
        "refund_id": null,
        "tracking_number": null,
        "carrier_code": null,
        "rejection_note": null,
        "requested_at": "2026-01-31T09:30:00.000Z",
        "approved_at": "2026-01-31T09:30:00.000Z",
        "received_at": "2026-01-31T09:30:00.000Z",
        "closed_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "returns.refund": {
    "body": {
      "amount_cents": 1999
    },
    "answer": {
      "success": true,
      "return": {
        "id": 1,
        "object": "return",
        "rma": "RMA-000001",
        "order_id": "ord_0350000000000000000000",
        "customer_email": "ada@example.com",
        "status": "refunded",
        "items": [
          {
            "order_item_id": 1,
            "quantity": 1,
            "received_quantity": 1,
            "damaged_quantity": 0,
            "reason": "too_small",
            "note": null
          }
        ],
        "refund_amount_cents": 1999,
        "refund_id": 1,
        "tracking_number": null,
        "carrier_code": null,
        "rejection_note": null,
        "requested_at": "2026-01-31T09:30:00.000Z",
        "approved_at": "2026-01-31T09:30:00.000Z",
        "received_at": "2026-01-31T09:30:00.000Z",
        "closed_at": "2026-01-31T09:30:00.000Z",
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "returns.cancel": {
    "answer": {
      "success": true,
      "return": {
        "id": 1,
        "object": "return",
        "rma": "RMA-000001",
        "order_id": "ord_0350000000000000000000",
        "customer_email": "ada@example.com",
        "status": "cancelled",
        "items": [
          {
            "order_item_id": 1,
            "quantity": 1,
            "received_quantity": 0,
            "damaged_quantity": 0,
            "reason": "too_small",
            "note": null
          }
        ],
        "refund_amount_cents": null,
        "refund_id": null,
        "tracking_number": null,
        "carrier_code": null,
        "rejection_note": null,
        "requested_at": "2026-01-31T09:30:00.000Z",
        "approved_at": null,
        "received_at": null,
        "closed_at": "2026-01-31T09:30:00.000Z",
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "reviews.list": {
    "answer": {
      "success": true,
      "reviews": [
        {
          "id": 1,
          "object": "review",
          "order_id": "ord_0350000000000000000000",
          "product": {
            "id": "a1B2c3D4e5F6",
            "name": "Game"
          },
          "customer_email": "ada@example.com",
          "rating": 4,
          "message": "Does what it says.",
          "automatic": false,
          "status": "published",
          "reply": "Thank you!",
          "replied_at": "2026-01-31T09:30:00.000Z",
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ],
      "stats": {
        "total": 1,
        "average": 4,
        "by_rating": {
          "1": 0,
          "2": 0,
          "3": 0,
          "4": 1,
          "5": 0
        }
      },
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "reviews.create": {
    "body": {
      "order_id": "ord_0350000000000000000000",
      "product_id": "a1B2c3D4e5F6",
      "rating": 4,
      "message": "Does what it says."
    },
    "answer": {
      "success": true,
      "review": {
        "id": 1,
        "object": "review",
        "order_id": "ord_0350000000000000000000",
        "product": {
          "id": "a1B2c3D4e5F6",
          "name": "Game"
        },
        "customer_email": "ada@example.com",
        "rating": 4,
        "message": "Does what it says.",
        "automatic": false,
        "status": "published",
        "reply": null,
        "replied_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "reviews.get": {
    "answer": {
      "success": true,
      "review": {
        "id": 1,
        "object": "review",
        "order_id": "ord_0350000000000000000000",
        "product": {
          "id": "a1B2c3D4e5F6",
          "name": "Game"
        },
        "customer_email": "ada@example.com",
        "rating": 4,
        "message": "Does what it says.",
        "automatic": false,
        "status": "published",
        "reply": "Thank you!",
        "replied_at": "2026-01-31T09:30:00.000Z",
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "reviews.update": {
    "body": {
      "status": "hidden"
    },
    "answer": {
      "success": true,
      "review": {
        "id": 1,
        "object": "review",
        "order_id": "ord_0350000000000000000000",
        "product": {
          "id": "a1B2c3D4e5F6",
          "name": "Game"
        },
        "customer_email": "ada@example.com",
        "rating": 4,
        "message": "Does what it says.",
        "automatic": false,
        "status": "hidden",
        "reply": "Thank you!",
        "replied_at": "2026-01-31T09:30:00.000Z",
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "reviews.report": {
    "body": {
      "reason": "It insults our staff."
    },
    "answer": {
      "success": true,
      "review": {
        "id": 1,
        "object": "review",
        "order_id": "ord_0350000000000000000000",
        "product": {
          "id": "a1B2c3D4e5F6",
          "name": "Game"
        },
        "customer_email": "ada@example.com",
        "rating": 4,
        "message": "Does what it says.",
        "automatic": false,
        "status": "reported",
        "reply": "Thank you!",
        "replied_at": "2026-01-31T09:30:00.000Z",
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "reviews.put_reply": {
    "body": {
      "reply": "Thank you!"
    },
    "answer": {
      "success": true,
      "review": {
        "id": 1,
        "object": "review",
        "order_id": "ord_0350000000000000000000",
        "product": {
          "id": "a1B2c3D4e5F6",
          "name": "Game"
        },
        "customer_email": "ada@example.com",
        "rating": 4,
        "message": "Does what it says.",
        "automatic": false,
        "status": "published",
        "reply": "Thank you!",
        "replied_at": "2026-01-31T09:30:00.000Z",
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "reviews.delete_reply": {
    "answer": {
      "success": true,
      "review": {
        "id": 1,
        "object": "review",
        "order_id": "ord_0350000000000000000000",
        "product": {
          "id": "a1B2c3D4e5F6",
          "name": "Game"
        },
        "customer_email": "ada@example.com",
        "rating": 4,
        "message": "Does what it says.",
        "automatic": false,
        "status": "published",
        "reply": null,
        "replied_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      },
      "deleted": true,
      "id": 1
    }
  },
  "questions.list": {
    "answer": {
      "success": true,
      "questions": [
        {
          "id": 1,
          "object": "question",
          "product": {
            "id": "a1B2c3D4e5F6",
            "name": "Advice"
          },
          "customer_email": "ada@example.com",
          "customer_name": null,
          "body": "Does it read RAW?",
          "status": "pending",
          "answers": [],
          "created_at": "2026-01-31T09:30:00.000Z",
          "answered_at": null
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "questions.create": {
    "body": {
      "product_id": "a1B2c3D4e5F6",
      "customer_email": "ada@example.com",
      "customer_name": "Ada",
      "body": "Does it read RAW?"
    },
    "answer": {
      "success": true,
      "question": {
        "id": 1,
        "object": "question",
        "product": {
          "id": "a1B2c3D4e5F6",
          "name": "Advice"
        },
        "customer_email": "ada@example.com",
        "customer_name": "Ada",
        "body": "Does it read RAW?",
        "status": "pending",
        "answers": [],
        "created_at": "2026-01-31T09:30:00.000Z",
        "answered_at": null
      }
    }
  },
  "questions.get": {
    "answer": {
      "success": true,
      "question": {
        "id": 1,
        "object": "question",
        "product": {
          "id": "a1B2c3D4e5F6",
          "name": "Advice"
        },
        "customer_email": "ada@example.com",
        "customer_name": null,
        "body": "Does it read RAW?",
        "status": "pending",
        "answers": [],
        "created_at": "2026-01-31T09:30:00.000Z",
        "answered_at": null
      }
    }
  },
  "questions.answer": {
    "body": {
      "body": "It does, of most cameras."
    },
    "answer": {
      "success": true,
      "answer": {
        "id": 1,
        "body": "It does, of most cameras.",
        "author": "seller",
        "created_at": "2026-01-31T09:30:00.000Z"
      },
      "question": {
        "id": 1,
        "object": "question",
        "product": {
          "id": "a1B2c3D4e5F6",
          "name": "Advice"
        },
        "customer_email": "ada@example.com",
        "customer_name": null,
        "body": "Does it read RAW?",
        "status": "answered",
        "answers": [
          {
            "id": 1,
            "body": "It does, of most cameras.",
            "author": "seller",
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "created_at": "2026-01-31T09:30:00.000Z",
        "answered_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "questions.update": {
    "body": {
      "status": "hidden"
    },
    "answer": {
      "success": true,
      "question": {
        "id": 1,
        "object": "question",
        "product": {
          "id": "a1B2c3D4e5F6",
          "name": "Advice"
        },
        "customer_email": "ada@example.com",
        "customer_name": null,
        "body": "Does it read RAW?",
        "status": "hidden",
        "answers": [],
        "created_at": "2026-01-31T09:30:00.000Z",
        "answered_at": null
      }
    }
  },
  "questions.delete": {
    "answer": {
      "success": true,
      "deleted": true,
      "id": 1
    }
  },
  "tickets.list": {
    "answer": {
      "success": true,
      "tickets": [
        {
          "id": 1,
          "object": "ticket",
          "subject": "Help",
          "status": "open",
          "awaiting": "seller",
          "customer": {
            "id": 1,
            "email": "ada@example.com"
          },
          "order_id": "ord_0350000000000000000000",
          "message_count": 1,
          "last_message_at": "2026-01-31T09:30:00.000Z",
          "closed_at": null,
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ],
      "stats": {
        "total": 1,
        "open": 1,
        "closed": 0,
        "awaiting_seller": 1,
        "awaiting_customer": 0
      },
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "tickets.create": {
    "body": {
      "email": "ada@example.com",
      "subject": "My key does not work",
      "message": "The program says that it is unknown."
    },
    "answer": {
      "success": true,
      "ticket": {
        "id": 1,
        "object": "ticket",
        "subject": "My key does not work",
        "status": "open",
        "awaiting": "seller",
        "customer": {
          "id": 1,
          "email": "ada@example.com"
        },
        "order_id": null,
        "message_count": 1,
        "last_message_at": "2026-01-31T09:30:00.000Z",
        "closed_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "messages": [
          {
            "id": 1,
            "author": "customer",
            "body": "The program says that it is unknown.",
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ]
      }
    }
  },
  "tickets.get": {
    "answer": {
      "success": true,
      "ticket": {
        "id": 1,
        "object": "ticket",
        "subject": "Help",
        "status": "open",
        "awaiting": "seller",
        "customer": {
          "id": 1,
          "email": "ada@example.com"
        },
        "order_id": "ord_0350000000000000000000",
        "message_count": 1,
        "last_message_at": "2026-01-31T09:30:00.000Z",
        "closed_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "messages": [
          {
            "id": 1,
            "author": "customer",
            "body": "It does not start.",
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ]
      }
    }
  },
  "tickets.post_message": {
    "body": {
      "body": "Please try it again now."
    },
    "answer": {
      "success": true,
      "message": {
        "id": 1,
        "author": "seller",
        "body": "Please try it again now.",
        "created_at": "2026-01-31T09:30:00.000Z"
      },
      "ticket": {
        "id": 1,
        "object": "ticket",
        "subject": "Help",
        "status": "open",
        "awaiting": "customer",
        "customer": {
          "id": 1,
          "email": "ada@example.com"
        },
        "order_id": "ord_0350000000000000000000",
        "message_count": 2,
        "last_message_at": "2026-01-31T09:30:00.000Z",
        "closed_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "messages": [
          {
            "id": 2,
            "author": "customer",
            "body": "It does not start.",
            "created_at": "2026-01-31T09:30:00.000Z"
          },
          {
            "id": 1,
            "author": "seller",
            "body": "Please try it again now.",
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ]
      }
    }
  },
  "tickets.close": {
    "answer": {
      "success": true,
      "ticket": {
        "id": 1,
        "object": "ticket",
        "subject": "Help",
        "status": "closed",
        "awaiting": null,
        "customer": {
          "id": 1,
          "email": "ada@example.com"
        },
        "order_id": "ord_0350000000000000000000",
        "message_count": 1,
        "last_message_at": "2026-01-31T09:30:00.000Z",
        "closed_at": "2026-01-31T09:30:00.000Z",
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "messages": [
          {
            "id": 1,
            "author": "customer",
            "body": "It does not start.",
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ]
      }
    }
  },
  "tickets.reopen": {
    "answer": {
      "success": true,
      "ticket": {
        "id": 1,
        "object": "ticket",
        "subject": "Help",
        "status": "open",
        "awaiting": "seller",
        "customer": {
          "id": 1,
          "email": "ada@example.com"
        },
        "order_id": "ord_0350000000000000000000",
        "message_count": 1,
        "last_message_at": "2026-01-31T09:30:00.000Z",
        "closed_at": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "messages": [
          {
            "id": 1,
            "author": "customer",
            "body": "It does not start.",
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ]
      }
    }
  },
  "affiliates.list_conversions": {
    "answer": {
      "success": true,
      "conversions": [
        {
          "invoice_id": "ord_0350000000000000000000",
          "captured_at": "2026-01-31T09:30:00.000Z",
          "paid_at": "2026-01-31T09:30:00.000Z",
          "source": "link",
          "status": "valid",
          "flags": [],
          "order_total": 1000,
          "order_currency": "EUR",
          "invoice_status": "completed",
          "refund_status": "none",
          "partner": {
            "id": "par_0350000000000000000001",
            "email": "person-1@example.com",
            "name": "Grace"
          },
          "link_code": "code-1",
          "commission": 100,
          "commission_currency": "EUR",
          "commission_state": "available",
          "available_at": "2026-01-31T09:30:00.000Z"
        }
      ],
      "next_cursor": null,
      "counts": {
        "all": 1,
        "valid": 1,
        "flagged": 0,
        "rejected": 0
      }
    }
  },
  "affiliates.review_conversion": {
    "body": {
      "status": "valid"
    },
    "answer": {
      "success": true,
      "conversion": {
        "invoice_id": "ord_0350000000000000000000",
        "captured_at": "2026-01-31T09:30:00.000Z",
        "paid_at": "2026-01-31T09:30:00.000Z",
        "source": "link",
        "status": "valid",
        "flags": [],
        "order_total": 1000,
        "order_currency": "EUR",
        "invoice_status": "completed",
        "refund_status": "none",
        "partner": {
          "id": "par_0350000000000000000001",
          "email": "person-1@example.com",
          "name": "Grace"
        },
        "link_code": "code-1",
        "commission": 100,
        "commission_currency": "EUR",
        "commission_state": "available",
        "available_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "affiliates.get_program": {
    "answer": {
      "success": true,
      "program": {
        "object": "affiliate_program",
        "enabled": false,
        "commission_percent": 10,
        "hold_days": 30,
        "cookie_days": 30,
        "min_payout_cents": 1000,
        "auto_approve": false,
        "public_signup": true,
        "customer_discount_percent": 0,
        "landing_url": null
      }
    }
  },
  "affiliates.update_program": {
    "body": {
      "enabled": true,
      "commission_percent": 15
    },
    "answer": {
      "success": true,
      "program": {
        "object": "affiliate_program",
        "enabled": true,
        "commission_percent": 15,
        "hold_days": 30,
        "cookie_days": 30,
        "min_payout_cents": 1000,
        "auto_approve": false,
        "public_signup": true,
        "customer_discount_percent": 0,
        "landing_url": null
      }
    }
  },
  "affiliates.list_partners": {
    "answer": {
      "success": true,
      "partners": [
        {
          "id": "par_0350000000000000000000",
          "object": "affiliate_partner",
          "email": "person-1@example.com",
          "name": "Grace",
          "note": "Met at a fair.",
          "status": "approved",
          "commission_percent": null,
          "links": [
            {
              "code": "code-1",
              "url": "https://shop.example.com/r/game-shop/code-1",
              "clicks": 0,
              "created_at": "2026-01-31T09:30:00.000Z"
            }
          ],
          "clicks": 0,
          "conversions": 0,
          "earned_cents": 0,
          "available_cents": 0,
          "pending_cents": 0,
          "paid_cents": 0,
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z"
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "affiliates.invite_partner": {
    "body": {
      "email": "grace@example.com",
      "name": "Grace"
    },
    "answer": {
      "success": true,
      "partner": {
        "id": "par_0350000000000000000000",
        "object": "affiliate_partner",
        "email": "grace@example.com",
        "name": "Grace",
        "note": null,
        "status": "approved",
        "commission_percent": null,
        "links": [],
        "clicks": 0,
        "conversions": 0,
        "earned_cents": 0,
        "available_cents": 0,
        "pending_cents": 0,
        "paid_cents": 0,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "affiliates.apply": {
    "body": {
      "email": "grace@example.com",
      "name": "Grace"
    },
    "answer": {
      "success": true,
      "partner": {
        "id": "par_0350000000000000000000",
        "object": "affiliate_partner",
        "email": "grace@example.com",
        "name": "Grace",
        "note": null,
        "status": "applied",
        "commission_percent": null,
        "links": [],
        "clicks": 0,
        "conversions": 0,
        "earned_cents": 0,
        "available_cents": 0,
        "pending_cents": 0,
        "paid_cents": 0,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "affiliates.get_partner": {
    "answer": {
      "success": true,
      "partner": {
        "id": "par_0350000000000000000000",
        "object": "affiliate_partner",
        "email": "person-1@example.com",
        "name": "Grace",
        "note": "Met at a fair.",
        "status": "approved",
        "commission_percent": null,
        "links": [
          {
            "code": "code-1",
            "url": "https://shop.example.com/r/game-shop/code-1",
            "clicks": 0,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "clicks": 0,
        "conversions": 0,
        "earned_cents": 0,
        "available_cents": 0,
        "pending_cents": 0,
        "paid_cents": 0,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "affiliates.update_partner": {
    "body": {
      "commission_percent": 20
    },
    "answer": {
      "success": true,
      "partner": {
        "id": "par_0350000000000000000000",
        "object": "affiliate_partner",
        "email": "person-1@example.com",
        "name": "Grace",
        "note": "Met at a fair.",
        "status": "approved",
        "commission_percent": 20,
        "links": [
          {
            "code": "code-1",
            "url": "https://shop.example.com/r/game-shop/code-1",
            "clicks": 0,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "clicks": 0,
        "conversions": 0,
        "earned_cents": 0,
        "available_cents": 0,
        "pending_cents": 0,
        "paid_cents": 0,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "affiliates.approve_partner": {
    "answer": {
      "success": true,
      "partner": {
        "id": "par_0350000000000000000000",
        "object": "affiliate_partner",
        "email": "person-1@example.com",
        "name": "Ada",
        "note": null,
        "status": "approved",
        "commission_percent": null,
        "links": [],
        "clicks": 0,
        "conversions": 0,
        "earned_cents": 0,
        "available_cents": 0,
        "pending_cents": 0,
        "paid_cents": 0,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "affiliates.reject_partner": {
    "answer": {
      "success": true,
      "partner": {
        "id": "par_0350000000000000000000",
        "object": "affiliate_partner",
        "email": "person-1@example.com",
        "name": "Ada",
        "note": null,
        "status": "rejected",
        "commission_percent": null,
        "links": [],
        "clicks": 0,
        "conversions": 0,
        "earned_cents": 0,
        "available_cents": 0,
        "pending_cents": 0,
        "paid_cents": 0,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "affiliates.suspend_partner": {
    "answer": {
      "success": true,
      "partner": {
        "id": "par_0350000000000000000000",
        "object": "affiliate_partner",
        "email": "person-1@example.com",
        "name": "Grace",
        "note": "Met at a fair.",
        "status": "suspended",
        "commission_percent": null,
        "links": [
          {
            "code": "code-1",
            "url": "https://shop.example.com/r/game-shop/code-1",
            "clicks": 0,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ],
        "clicks": 0,
        "conversions": 0,
        "earned_cents": 0,
        "available_cents": 0,
        "pending_cents": 0,
        "paid_cents": 0,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "affiliates.list_links": {
    "answer": {
      "success": true,
      "links": [
        {
          "code": "code-1",
          "url": "https://shop.example.com/r/game-shop/code-1",
          "clicks": 0,
          "created_at": "2026-01-31T09:30:00.000Z"
        }
      ]
    }
  },
  "affiliates.create_link": {
    "body": {
      "code": "grace"
    },
    "answer": {
      "success": true,
      "link": {
        "code": "grace",
        "url": "https://shop.example.com/r/game-shop/grace",
        "clicks": 0,
        "created_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "affiliates.delete_link": {
    "answer": {
      "success": true,
      "deleted": true,
      "code": "code-1"
    }
  },
  "affiliates.list_payouts": {
    "answer": {
      "success": true,
      "payouts": [
        {
          "id": 1,
          "object": "affiliate_payout",
          "partner": {
            "id": "par_0350000000000000000000",
            "email": "person-1@example.com",
            "name": "Grace"
          },
          "amount_cents": 100,
          "currency": "EUR",
          "status": "requested",
          "method": "bank_transfer",
          "destination": "DE02 1203 0000 0000 2020 51",
          "reference": null,
          "note": null,
          "requested_at": "2026-01-31T09:30:00.000Z",
          "sent_at": null
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "affiliates.request_payout": {
    "body": {
      "partner_id": "par_0350000000000000000000",
      "method": "bank_transfer"
    },
    "answer": {
      "success": true,
      "payout": {
        "id": 1,
        "object": "affiliate_payout",
        "partner": {
          "id": "par_0350000000000000000000",
          "email": "person-1@example.com",
          "name": "Grace"
        },
        "amount_cents": 100,
        "currency": "EUR",
        "status": "requested",
        "method": "bank_transfer",
        "destination": null,
        "reference": null,
        "note": null,
        "requested_at": "2026-01-31T09:30:00.000Z",
        "sent_at": null
      }
    }
  },
  "affiliates.get_payout": {
    "answer": {
      "success": true,
      "payout": {
        "id": 1,
        "object": "affiliate_payout",
        "partner": {
          "id": "par_0350000000000000000000",
          "email": "person-1@example.com",
          "name": "Grace"
        },
        "amount_cents": 100,
        "currency": "EUR",
        "status": "requested",
        "method": "bank_transfer",
        "destination": "DE02 1203 0000 0000 2020 51",
        "reference": null,
        "note": null,
        "requested_at": "2026-01-31T09:30:00.000Z",
        "sent_at": null
      }
    }
  },
  "affiliates.send_payout": {
    "body": {
      "reference": "Transfer 4711"
    },
    "answer": {
      "success": true,
      "payout": {
        "id": 1,
        "object": "affiliate_payout",
        "partner": {
          "id": "par_0350000000000000000000",
          "email": "person-1@example.com",
          "name": "Grace"
        },
        "amount_cents": 100,
        "currency": "EUR",
        "status": "sent",
        "method": "bank_transfer",
        "destination": "DE02 1203 0000 0000 2020 51",
        "reference": "Transfer 4711",
        "note": null,
        "requested_at": "2026-01-31T09:30:00.000Z",
        "sent_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "affiliates.reject_payout": {
    "body": {
      "note": "Wrong account number."
    },
    "answer": {
      "success": true,
      "payout": {
        "id": 1,
        "object": "affiliate_payout",
        "partner": {
          "id": "par_0350000000000000000000",
          "email": "person-1@example.com",
          "name": "Grace"
        },
        "amount_cents": 100,
        "currency": "EUR",
        "status": "rejected",
        "method": "bank_transfer",
        "destination": "DE02 1203 0000 0000 2020 51",
        "reference": null,
        "note": "Wrong account number.",
        "requested_at": "2026-01-31T09:30:00.000Z",
        "sent_at": null
      }
    }
  },
  "analytics.sales": {
    "answer": {
      "success": true,
      "summary": {
        "currency": "EUR",
        "time_zone": "UTC",
        "from": "2026-01-02",
        "to": "2026-01-31",
        "orders_count": 1,
        "completed_count": 0,
        "units_sold": 1,
        "gross_cents": 1000,
        "discount_cents": 0,
        "shipping_cents": 0,
        "refunded_cents": 0,
        "net_cents": 1000,
        "average_order_cents": 1000,
        "new_customers": 1,
        "returning_customers": 0,
        "conversion_rate": 0,
        "series": [
          {
            "date": "2026-01-02",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-03",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-04",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-05",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-06",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-07",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-08",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-09",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-10",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-11",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-12",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-13",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-14",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-15",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-16",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-17",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-18",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-19",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-20",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-21",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-22",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-23",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-24",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-25",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-26",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-27",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-28",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-29",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-30",
            "orders_count": 0,
            "gross_cents": 0,
            "net_cents": 0
          },
          {
            "date": "2026-01-31",
            "orders_count": 1,
            "gross_cents": 1000,
            "net_cents": 1000
          }
        ],
        "top_products": [
          {
            "product_id": "a1B2c3D4e5F6",
            "name": "Advice",
            "units_sold": 1,
            "gross_cents": 1000
          }
        ],
        "top_customers": [
          {
            "customer_id": 1,
            "email": "ada@example.com",
            "name": null,
            "orders_count": 1,
            "spent_cents": 1000
          }
        ],
        "by_payment_method": [
          {
            "payment_method": "manual",
            "orders_count": 1,
            "gross_cents": 1000
          }
        ],
        "by_country": [
          {
            "country": null,
            "orders_count": 1,
            "gross_cents": 1000
          }
        ]
      }
    }
  },
  "webhooks.list": {
    "answer": {
      "success": true,
      "webhooks": [
        {
          "id": "we_0350000000000000000000",
          "object": "webhook_endpoint",
          "url": "http://127.0.0.1:4199/hooks",
          "description": null,
          "events": [
            "*"
          ],
          "enabled": true,
          "disabled_at": null,
          "disabled_reason": null,
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z",
          "stats": {
            "total": 0,
            "succeeded": 0,
            "failed": 0,
            "pending": 0,
            "success_rate": null,
            "average_duration_ms": null,
            "last_delivery_at": null
          }
        }
      ],
      "pagination": {
        "total": 1,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "webhooks.create": {
    "body": {
      "url": "https://seller.example.org/hooks",
      "events": [
        "order.completed"
      ]
    },
    "answer": {
      "success": true,
      "webhook": {
        "id": "we_0350000000000000000000",
        "object": "webhook_endpoint",
        "url": "https://seller.example.org/hooks",
        "description": null,
        "events": [
          "order.completed"
        ],
        "enabled": true,
        "disabled_at": null,
        "disabled_reason": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      },
      "secret": "whsec_EXAMPLE"
    }
  },
  "webhooks.get": {
    "answer": {
      "success": true,
      "webhook": {
        "id": "we_0350000000000000000000",
        "object": "webhook_endpoint",
        "url": "http://127.0.0.1:4199/hooks",
        "description": null,
        "events": [
          "*"
        ],
        "enabled": true,
        "disabled_at": null,
        "disabled_reason": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "webhooks.update": {
    "body": {
      "enabled": true
    },
    "answer": {
      "success": true,
      "webhook": {
        "id": "we_0350000000000000000000",
        "object": "webhook_endpoint",
        "url": "http://127.0.0.1:4199/hooks",
        "description": null,
        "events": [
          "*"
        ],
        "enabled": true,
        "disabled_at": null,
        "disabled_reason": null,
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z"
      }
    }
  },
  "webhooks.delete": {
    "answer": {
      "success": true,
      "deleted": true,
      "id": "we_0350000000000000000000"
    }
  },
  "webhooks.test": {
    "body": {
      "type": "order.completed"
    },
    "answer": {
      "success": true,
      "result": {
        "ok": false,
        "status_code": null,
        "error": "connection_refused: The receiver refused the connection.",
        "duration_ms": 5
      },
      "delivery": {
        "id": 1,
        "object": "webhook_delivery",
        "status": "failed",
        "attempts": 1,
        "next_attempt_at": null,
        "last_status_code": null,
        "last_error": "connection_refused: The receiver refused the connection.",
        "last_duration_ms": 5,
        "event": {
          "id": "evt_0350000000000000000000",
          "type": "order.completed",
          "test": true,
          "object_id": "ord_0350000000000000000001"
        },
        "webhook": {
          "id": "we_0350000000000000000002",
          "url": "http://127.0.0.1:4199/hooks",
          "description": null,
          "deleted": false
        },
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payload": {
          "id": "evt_0350000000000000000000",
          "object": "event",
          "type": "order.completed",
          "created": 1769851800,
          "livemode": false,
          "store": {
            "id": "b2C3d4E5f6G7",
            "name": "Game shop",
            "slug": "game-shop"
          },
          "data": {
            "object": {
              "object": "order",
              "id": "ord_0350000000000000000001",
              "number": 1042,
              "status": "completed",
              "currency": "EUR",
              "total": 39.98,
              "paid_amount": 39.98,
              "refunded_amount": 0,
              "customer": {
                "email": "ada@example.com",
                "country": "GB"
              },
              "items": [
                {
                  "product_id": "b2C3d4E5f6G7",
                  "variant_id": 1,
                  "name": "Photo editor",
                  "variant_name": "Default",
                  "sku": "EDIT-1",
                  "bundle": null,
                  "quantity": 2,
                  "unit_price": 19.99,
                  "total": 39.98
                }
              ],
              "custom_fields": {
                "Name on the license": "Ada Lovelace"
              },
              "paid_at": "2026-01-31T09:30:00.000Z",
              "deliveries": [
                {
                  "order_item_id": 1,
                  "product_id": "b2C3d4E5f6G7",
                  "variant_id": 1,
                  "type": "serial",
                  "keys": [
                    "SAMPLE-AAAA-0001",
                    "SAMPLE-AAAA-0002"
                  ],
                  "keys_count": 2,
                  "files": [],
                  "text": null
                }
              ]
            }
          }
        },
        "payload_redacted": false,
        "attempt_history": [
          {
            "attempt": 1,
            "status_code": null,
            "response_body": null,
            "error": "connection_refused: The receiver refused the connection.",
            "duration_ms": 5,
            "manual": true,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ]
      }
    }
  },
  "webhooks.replay": {
    "body": {
      "since": "2026-01-31T08:30:00.000Z"
    },
    "answer": {
      "success": true,
      "queued": 0,
      "next_since": null
    }
  },
  "events.types": {
    "answer": {
      "success": true,
      "types": [
        {
          "type": "order.created",
          "description": "An order is created (storefront, API or embed)."
        },
        {
          "type": "order.completed",
          "description": "An order is paid and delivered; includes the deliveries."
        },
        {
          "type": "order.partially_paid",
          "description": "Part of a crypto payment arrived."
        },
        {
          "type": "order.manual_review",
          "description": "A manual payment waits for review."
        },
        {
          "type": "order.expired",
          "description": "An order was not paid in time."
        },
        {
          "type": "order.cancelled",
          "description": "An unpaid order was cancelled."
        },
        {
          "type": "order.refunded",
          "description": "A refund was recorded; sent once per refunded amount."
        },
        {
          "type": "product.out_of_stock",
          "description": "A product ran out of stock."
        },
        {
          "type": "product.restocked",
          "description": "Stock was added to a product."
        },
        {
          "type": "product.deleted",
          "description": "A product was deleted."
        },
        {
          "type": "review.created",
          "description": "A customer left a review."
        },
        {
          "type": "question.created",
          "description": "A customer asked a question on a product page."
        },
        {
          "type": "question.answered",
          "description": "The team answered a product question (dashboard or API); `answer.first` is `true` for the first answer."
        },
        {
          "type": "customer.created",
          "description": "A new customer was added."
        },
        {
          "type": "withdrawal.completed",
          "description": "A wallet withdrawal was sent."
        },
        {
          "type": "affiliate.partner_applied",
          "description": "Someone applied to the affiliate programme."
        },
        {
          "type": "affiliate.conversion",
          "description": "An attributed order completed and the commission was recorded."
        },
        {
          "type": "affiliate.payout_requested",
          "description": "A partner requested a payout."
        },
        {
          "type": "affiliate.payout_sent",
          "description": "A payout was marked as sent."
        }
      ]
    }
  },
  "events.deliveries": {
    "answer": {
      "success": true,
      "deliveries": [
        {
          "id": 1,
          "object": "webhook_delivery",
          "status": "pending",
          "attempts": 0,
          "next_attempt_at": "2026-01-31T09:30:00.000Z",
          "last_status_code": null,
          "last_error": null,
          "last_duration_ms": null,
          "event": {
            "id": "evt_0350000000000000000000",
            "type": "order.created",
            "test": false,
            "object_id": "ord_0350000000000000000001"
          },
          "webhook": {
            "id": "we_0350000000000000000002",
            "url": "http://127.0.0.1:4199/hooks",
            "description": null,
            "deleted": false
          },
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z",
          "payload_redacted": false
        },
        {
          "id": 2,
          "object": "webhook_delivery",
          "status": "pending",
          "attempts": 0,
          "next_attempt_at": "2026-01-31T09:30:00.000Z",
          "last_status_code": null,
          "last_error": null,
          "last_duration_ms": null,
          "event": {
            "id": "evt_0350000000000000000003",
            "type": "customer.created",
            "test": false,
            "object_id": "1"
          },
          "webhook": {
            "id": "we_0350000000000000000002",
            "url": "http://127.0.0.1:4199/hooks",
            "description": null,
            "deleted": false
          },
          "created_at": "2026-01-31T09:30:00.000Z",
          "updated_at": "2026-01-31T09:30:00.000Z",
          "payload_redacted": false
        }
      ],
      "pagination": {
        "total": 2,
        "limit": 25,
        "offset": 0,
        "has_more": false
      }
    }
  },
  "events.get_delivery": {
    "answer": {
      "success": true,
      "delivery": {
        "id": 1,
        "object": "webhook_delivery",
        "status": "pending",
        "attempts": 0,
        "next_attempt_at": "2026-01-31T09:30:00.000Z",
        "last_status_code": null,
        "last_error": null,
        "last_duration_ms": null,
        "event": {
          "id": "evt_0350000000000000000000",
          "type": "order.created",
          "test": false,
          "object_id": "ord_0350000000000000000001"
        },
        "webhook": {
          "id": "we_0350000000000000000002",
          "url": "http://127.0.0.1:4199/hooks",
          "description": null,
          "deleted": false
        },
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payload": {
          "id": "evt_0350000000000000000000",
          "object": "event",
          "type": "order.created",
          "created": 1769851800,
          "livemode": true,
          "store": {
            "id": "a1B2c3D4e5F6",
            "name": "Game shop",
            "slug": "game-shop"
          },
          "data": {
            "object": {
              "object": "order",
              "id": "ord_0350000000000000000001",
              "number": 1,
              "status": "pending",
              "currency": "EUR",
              "total": 10,
              "paid_amount": 0,
              "refunded_amount": 0,
              "customer": {
                "email": "ada@example.com",
                "country": null
              },
              "items": [
                {
                  "product_id": "b2C3d4E5f6G7",
                  "variant_id": 1,
                  "name": "Advice",
                  "variant_name": "Default",
                  "sku": null,
                  "bundle": null,
                  "quantity": 1,
                  "unit_price": 10,
                  "total": 10
                }
              ],
              "custom_fields": {},
              "paid_at": null
            }
          }
        },
        "payload_redacted": false,
        "attempt_history": []
      }
    }
  },
  "events.resend": {
    "answer": {
      "success": true,
      "result": {
        "ok": false,
        "status_code": null,
        "error": "connection_refused: The receiver refused the connection.",
        "duration_ms": 5
      },
      "delivery": {
        "id": 1,
        "object": "webhook_delivery",
        "status": "pending",
        "attempts": 1,
        "next_attempt_at": "2026-01-31T09:30:00.000Z",
        "last_status_code": null,
        "last_error": "connection_refused: The receiver refused the connection.",
        "last_duration_ms": 5,
        "event": {
          "id": "evt_0350000000000000000000",
          "type": "order.created",
          "test": false,
          "object_id": "ord_0350000000000000000001"
        },
        "webhook": {
          "id": "we_0350000000000000000002",
          "url": "http://127.0.0.1:4199/hooks",
          "description": null,
          "deleted": false
        },
        "created_at": "2026-01-31T09:30:00.000Z",
        "updated_at": "2026-01-31T09:30:00.000Z",
        "payload": {
          "id": "evt_0350000000000000000000",
          "object": "event",
          "type": "order.created",
          "created": 1769851800,
          "livemode": true,
          "store": {
            "id": "a1B2c3D4e5F6",
            "name": "Game shop",
            "slug": "game-shop"
          },
          "data": {
            "object": {
              "object": "order",
              "id": "ord_0350000000000000000001",
              "number": 1,
              "status": "pending",
              "currency": "EUR",
              "total": 10,
              "paid_amount": 0,
              "refunded_amount": 0,
              "customer": {
                "email": "ada@example.com",
                "country": null
              },
              "items": [
                {
                  "product_id": "b2C3d4E5f6G7",
                  "variant_id": 1,
                  "name": "Advice",
                  "variant_name": "Default",
                  "sku": null,
                  "bundle": null,
                  "quantity": 1,
                  "unit_price": 10,
                  "total": 10
                }
              ],
              "custom_fields": {},
              "paid_at": null
            }
          }
        },
        "payload_redacted": false,
        "attempt_history": [
          {
            "attempt": 1,
            "status_code": null,
            "response_body": null,
            "error": "connection_refused: The receiver refused the connection.",
            "duration_ms": 5,
            "manual": true,
            "created_at": "2026-01-31T09:30:00.000Z"
          }
        ]
      }
    }
  },
  "webhooks.open_listener": {
    "body": {
      "forward": "http://localhost:3000/hook",
      "events": [
        "*"
      ]
    },
    "answer": {
      "success": true,
      "listener": {
        "id": "we_0350000000000000000000",
        "secret": "whsec_EXAMPLE"
      }
    }
  },
  "webhooks.poll_listener": {
    "body": {
      "relayed": [],
      "wait_s": 5
    },
    "answer": {
      "success": true,
      "deliveries": []
    }
  },
  "webhooks.close_listener": {
    "answer": {
      "success": true,
      "deleted": true,
      "id": "we_0350000000000000000000"
    }
  },
  "events.trigger": {
    "body": {
      "type": "order.completed"
    },
    "answer": {
      "success": true,
      "event": "evt_0350000000000000000000",
      "deliveries": 0
    }
  },
  "events.explain_delivery": {
    "body": {
      "header": "t=1700000000,v1=5257a869",
      "clock": 1700000000
    },
    "answer": {
      "success": true,
      "steps": [
        "The body is 601 bytes: {\"id\":\"evt_0350000000000000000000\",\"object\":\"event\",\"type\":\"order.created\",\"crea…",
        "The signed string is \"1700000000.\" and then these bytes, as they are.",
        "The key is the whole secret, \"whsec_EXAM…\", as text.",
        "HMAC-SHA256 in hex: 5257a869e7ecebed5257a869e7ecebed5257a869e7ecebed5257a869e7ecebed",
        "Service-Signature: t=1700000000,v1=5257a869e7ecebed5257a869e7ecebed5257a869e7ecebed5257a869e7ecebed"
      ],
      "findings": [
        "The receiver's clock is 69850000 seconds behind ours; more than 300 is refused.",
        "It was signed 69850000 seconds ago, at 2023-11-14T22:13:20.000Z; more than 300 is refused. If it was refused when it arrived, compare clocks: --clock $(date +%s), run on the receiver.",
        "It matches neither the stored bytes nor a secret of this endpoint. Check that it belongs to this delivery."
      ]
    }
  }
}
