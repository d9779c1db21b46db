import { createTransport } from "nodemailer";

export type Mail = {
  to: string;
  subject: string;
  text: string;
  attachments?: { filename: string; content: Buffer }[];
};

export const openMail = (url: string, from: string) => {
  const transport = createTransport(url, { from, disableFileAccess: true, disableUrlAccess: true });
  return {
    send: async (mail: Mail) => {
      await transport.sendMail(mail);
    },
    close: () => transport.close(),
  };
};
export type Mailer = ReturnType<typeof openMail>;
