import { createTransport } from "nodemailer";

export type Mail = {
  to: string;
  subject: string;
  text: string;
  attachments?: { filename: string; content: Buffer }[];
};

type Settings = {
  url: string;
  from: string;
  /** Put before every subject. */
  mark?: string;
  onResult: (result: "sent" | "failed") => void;
};

export const openMail = ({ url, from, mark = "", onResult }: Settings) => {
  const transport = createTransport(url, { from, disableFileAccess: true, disableUrlAccess: true });
  return {
    send: async (mail: Mail) => {
      await transport
        .sendMail({ ...mail, subject: `${mark}${mail.subject}` })
        .catch((error: unknown) => {
          onResult("failed");
          throw error;
        });
      onResult("sent");
    },
    close: () => transport.close(),
  };
};
export type Mailer = ReturnType<typeof openMail>;
